#include "plugins/optimizers/sgd/sgd.h"

#include <gtest/gtest.h>

#include <vector>

#include "plugins/optimizers/sgd/sgd.pb.h"

namespace primus::optimizers {
namespace {

TEST(SgdTest, StepsAlongTheNegativeGradientRowByRow) {
  SgdOptions options;
  options.set_learning_rate(0.5);
  const auto sgd = MakeSgd(options.SerializeAsString()).value();
  EXPECT_EQ(sgd->StateSize(3), 0U);
  std::vector<float> a = {1, 2, 3};
  std::vector<float> b = {0, 0, 0};
  // Row `a` twice in one batch: it takes both gradients.
  float* const rows[] = {a.data(), b.data(), a.data()};
  const std::vector<float> gradients = {1, 0, -1, 8, 4, 2, 1, 1, 1};
  sgd->Apply({.rows = rows, .gradients = gradients.data(), .width = 3, .step = 0});
  EXPECT_EQ(a, (std::vector<float>{0, 1.5, 3}));
  EXPECT_EQ(b, (std::vector<float>{-4, -2, -1}));
}

TEST(SgdTest, WrongOptionsAreRefusedByName) {
  const Status status = MakeSgd("").status();
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_NE(status.message().find("learningRate"), std::string::npos);
  EXPECT_FALSE(MakeSgd("\xff\xff").ok());
}

TEST(SgdTest, IsFoundUnderItsKey) {
  embedding::OptimizerSlot slot("tableOptimizers");
  AddSgd(&slot);
  EXPECT_NE(slot.Find("sgd"), nullptr);
  EXPECT_EQ(slot.keys().at("sgd"), SgdOptions::descriptor());
}

}  // namespace
}  // namespace primus::optimizers
