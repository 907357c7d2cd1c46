#include "plugins/optimizers/adam/adam.h"

#include <gtest/gtest.h>

#include <vector>

#include "plugins/optimizers/adam/adam.pb.h"

namespace primus::optimizers {
namespace {

struct Case {
  double learning_rate;
  double beta1;
  double beta2;
  double epsilon;
  std::vector<std::vector<float>> values;  // after each of the three gradients
  std::vector<float> means;                // at the end
  std::vector<float> squares;
};

// torch.optim.Adam's formula, each operation rounded to single precision.
const Case kCases[] = {
    {0.001,
     0.9,
     0.999,
     1e-8,
     {{0.0989999995F, -0.199000001F, 0.299000055F, 0.400000006F},
      {0.0987336636F, -0.199276119F, 0.298094839F, 0.400000006F},
      {0.0980725139F, -0.199523091F, 0.297869623F, 0.399372071F}},
     {0.418000013F, 0.0912500024F, 4.43000026e-05F, 1.00000001e-07F},
     {0.0163119379F, 0.00557100167F, 1.57882019e-09F, 1.00000011e-15F}},
    {0.1,
     0.5,
     0.75,
     1e-3,
     {{0.000199601054F, -0.100079946F, 0.27692309F, 0.400000006F},
      {0.000199601054F, -0.153370947F, 0.233876705F, 0.400000006F},
      {-0.086159639F, -0.189119965F, 0.237965181F, 0.399942905F}},
     {2, 0.40625F, -6.2499952e-05F, 4.99999999e-07F},
     {4.046875F, 0.973632812F, 3.22656263e-07F, 2.49999999e-13F}},
};

AdamOptions Options(const Case& c) {
  AdamOptions options;
  options.set_learning_rate(c.learning_rate);
  options.set_beta1(c.beta1);
  options.set_beta2(c.beta2);
  options.set_epsilon(c.epsilon);
  return options;
}

TEST(AdamTest, FollowsTheFormulaFromTheFirstStep) {
  const std::vector<float> gradients = {0.5F,  -1.25F, 3e-4F, 0,      -0.25F, 2,
                                        1e-3F, 0,      4,     0.125F, -7e-4F, 1e-6F};
  for (const Case& c : kCases) {
    const auto adam = MakeAdam(Options(c).SerializeAsString()).value();
    ASSERT_EQ(adam->StateSize(4), 8U);
    std::vector<float> row = {0.1F, -0.2F, 0.3F, 0.4F, -1, -1, -1, -1, -1, -1, -1, -1};
    adam->InitialState({row.data() + 4, 8});
    float* const rows[] = {row.data()};
    for (std::size_t t = 0; t < 3; ++t) {
      adam->Apply({.rows = rows, .gradients = gradients.data() + 4 * t, .width = 4, .step = t + 1});
      for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(row[i], c.values[t][i], 1e-7) << t << i;
    }
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_FLOAT_EQ(row[4 + i], c.means[i]) << i;
      EXPECT_FLOAT_EQ(row[8 + i], c.squares[i]) << i;
    }
  }
}

TEST(AdamTest, AZeroGradientAtFirstChangesNothing) {
  const auto adam = MakeAdam(Options(kCases[0]).SerializeAsString()).value();
  std::vector<float> row = {0.5F, 0, 0};
  float* const rows[] = {row.data()};
  const float gradient = 0;
  adam->Apply({.rows = rows, .gradients = &gradient, .width = 1, .step = 1});
  EXPECT_EQ(row, (std::vector<float>{0.5F, 0, 0}));
}

TEST(AdamTest, WrongOptionsAreRefusedByName) {
  const auto refusal = [](auto change) {
    AdamOptions options = Options(kCases[0]);
    change(&options);
    return MakeAdam(options.SerializeAsString()).status().message();
  };
  const auto names = [](const std::string& text, const char* field) {
    return text.find(field) != std::string::npos;
  };
  EXPECT_TRUE(names(refusal([](auto* o) { o->set_learning_rate(0); }), "learningRate"));
  EXPECT_TRUE(names(refusal([](auto* o) { o->set_beta1(1); }), "beta1"));
  EXPECT_TRUE(names(refusal([](auto* o) { o->set_beta2(-0.1); }), "beta2"));
  EXPECT_TRUE(names(refusal([](auto* o) { o->set_epsilon(0); }), "epsilon"));
}

TEST(AdamTest, IsFoundUnderItsKey) {
  embedding::OptimizerSlot slot("denseOptimizers");
  AddAdam(&slot);
  EXPECT_NE(slot.Find("adam"), nullptr);
}

}  // namespace
}  // namespace primus::optimizers
