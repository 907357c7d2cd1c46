#include "plugins/optimizers/adagrad/adagrad.h"

#include <gtest/gtest.h>

#include <vector>

#include "plugins/optimizers/adagrad/adagrad.pb.h"

namespace primus::optimizers {
namespace {

struct Case {
  double learning_rate;
  double initial;
  double epsilon;
  std::vector<float> values;  // after the three gradients
  std::vector<float> sums;
};

// Three updates of torch.optim.Adagrad's formula, each operation rounded to single precision.
const Case kCases[] = {
    {0.05,
     0,
     1e-10,
     {0.0228419229F, -0.195046201F, 0.229953215F, 0.350005001F},
     {16.3125F, 5.578125F, 1.58000012e-06F, 9.99999996e-13F}},
    {0.1,
     0.5,
     1e-8,
     {-0.0275537372F, -0.199259058F, 0.299915165F, 0.399999857F},
     {16.8125F, 6.078125F, 0.500001609F, 0.5F}},
};

AdagradOptions Options(const Case& c) {
  AdagradOptions options;
  options.set_learning_rate(c.learning_rate);
  options.set_initial_accumulator(c.initial);
  options.set_epsilon(c.epsilon);
  return options;
}

TEST(AdagradTest, FollowsTheFormula) {
  const std::vector<float> gradients = {0.5F,  -1.25F, 3e-4F, 0,      -0.25F, 2,
                                        1e-3F, 0,      4,     0.125F, -7e-4F, 1e-6F};
  for (const Case& c : kCases) {
    const auto adagrad = MakeAdagrad(Options(c).SerializeAsString()).value();
    ASSERT_EQ(adagrad->StateSize(4), 4U);
    std::vector<float> row = {0.1F, -0.2F, 0.3F, 0.4F, -1, -1, -1, -1};
    adagrad->InitialState({row.data() + 4, 4});
    float* const rows[] = {row.data(), row.data(), row.data()};
    adagrad->Apply({.rows = rows, .gradients = gradients.data(), .width = 4, .step = 0});
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_FLOAT_EQ(row[i], c.values[i]) << i;
      EXPECT_FLOAT_EQ(row[4 + i], c.sums[i]) << i;
    }
  }
}

TEST(AdagradTest, AZeroGradientChangesNothing) {
  const auto adagrad = MakeAdagrad(Options(kCases[0]).SerializeAsString()).value();
  std::vector<float> row = {0.1F, 0.2F, 0, 0};
  float* const rows[] = {row.data()};
  const std::vector<float> gradients = {0, 0};
  adagrad->Apply({.rows = rows, .gradients = gradients.data(), .width = 2, .step = 0});
  EXPECT_EQ(row, (std::vector<float>{0.1F, 0.2F, 0, 0}));
}

TEST(AdagradTest, WrongOptionsAreRefusedByName) {
  AdagradOptions options = Options(kCases[0]);
  options.set_epsilon(0);
  EXPECT_NE(MakeAdagrad(options.SerializeAsString()).status().message().find("epsilon"),
            std::string::npos);
  options = Options(kCases[0]);
  options.set_learning_rate(-1);
  EXPECT_NE(MakeAdagrad(options.SerializeAsString()).status().message().find("learningRate"),
            std::string::npos);
  options = Options(kCases[0]);
  options.set_initial_accumulator(-1);
  EXPECT_NE(MakeAdagrad(options.SerializeAsString()).status().message().find("initialAccumulator"),
            std::string::npos);
}

TEST(AdagradTest, IsFoundUnderItsKey) {
  embedding::OptimizerSlot slot("tableOptimizers");
  AddAdagrad(&slot);
  EXPECT_NE(slot.Find("adagrad"), nullptr);
}

}  // namespace
}  // namespace primus::optimizers
