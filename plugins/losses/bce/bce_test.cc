#include "plugins/losses/bce/bce.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace primus::losses {
namespace {

double LossOf(const train::Loss& loss, float logit, float label, float* gradient) {
  return loss.Run(std::vector<float>{logit}, std::vector<float>{label}, {gradient, 1});
}

TEST(Bce, IsMinusLogOfTheProbabilityOfTheLabel) {
  const auto loss = MakeBce("").value();
  float gradient = 0;
  EXPECT_NEAR(LossOf(*loss, 0, 1, &gradient), std::log(2), 1e-12);
  EXPECT_NEAR(gradient, -0.5, 1e-7);
  EXPECT_NEAR(LossOf(*loss, 2, 0, &gradient), -std::log(1 - 1 / (1 + std::exp(-2.0))), 1e-12);
  EXPECT_NEAR(gradient, 1 / (1 + std::exp(-2.0)), 1e-7);
}

TEST(Bce, GradientIsTheSlopeOfTheLoss) {
  const auto loss = MakeBce("").value();
  for (const float logit : {-30.0F, -2.5F, -0.1F, 0.7F, 12.0F}) {
    for (const float label : {0.0F, 1.0F}) {
      float gradient = 0;
      float unused = 0;
      const float h = 0.01F;
      const double above = LossOf(*loss, logit + h, label, &unused);
      const double below = LossOf(*loss, logit - h, label, &unused);
      LossOf(*loss, logit, label, &gradient);
      EXPECT_NEAR((above - below) / (2.0 * h), gradient, 1e-4) << logit << " " << label;
    }
  }
}

TEST(Bce, StaysFiniteForExtremeLogits) {
  const auto loss = MakeBce("").value();
  float gradient = 0;
  EXPECT_NEAR(LossOf(*loss, 1e4F, 0, &gradient), 1e4, 1e-6);
  EXPECT_EQ(gradient, 1);
  EXPECT_NEAR(LossOf(*loss, -1e4F, 0, &gradient), 0, 1e-12);
  EXPECT_EQ(gradient, 0);
}

TEST(Bce, RefusesLabelsOtherThanZeroAndOne) {
  const auto loss = MakeBce("").value();
  EXPECT_TRUE(loss->CheckLabel(0).ok());
  EXPECT_TRUE(loss->CheckLabel(1).ok());
  EXPECT_EQ(loss->CheckLabel(3).message(), "a label is 3.000000, not 0 or 1");
  EXPECT_FALSE(loss->CheckLabel(std::numeric_limits<float>::quiet_NaN()).ok());
}

}  // namespace
}  // namespace primus::losses
