#include "primus/ps/applied_steps.h"

#include <gtest/gtest.h>

namespace primus::ps {
namespace {

TEST(AppliedStepsTest, EachStepOfEachTrainerCountsByItself) {
  AppliedSteps steps;
  EXPECT_FALSE(steps.Contains(7, 1));
  steps.Add(7, 1);
  EXPECT_TRUE(steps.Contains(7, 1));
  EXPECT_FALSE(steps.Contains(7, 2));
  EXPECT_FALSE(steps.Contains(8, 1));
}

TEST(AppliedStepsTest, AnEarlierStepMayComeAfterALaterOne) {
  AppliedSteps steps;
  steps.Add(7, 5);
  EXPECT_FALSE(steps.Contains(7, 4));
  steps.Add(7, 4);
  EXPECT_TRUE(steps.Contains(7, 4));
  EXPECT_TRUE(steps.Contains(7, 5));
}

TEST(AppliedStepsTest, StepsBelowTheFloorCountAsAppliedAndItNeverGoesBack) {
  AppliedSteps steps;
  steps.Add(7, 1);
  steps.Add(7, 3);
  steps.RaiseFloor(7, 3);
  EXPECT_TRUE(steps.Contains(7, 1));
  EXPECT_TRUE(steps.Contains(7, 2));
  EXPECT_TRUE(steps.Contains(7, 3));
  EXPECT_FALSE(steps.Contains(7, 4));
  steps.RaiseFloor(7, 2);
  EXPECT_TRUE(steps.Contains(7, 2));
}

TEST(AppliedStepsTest, ForgetsTrainersThatLeaveAndAllOnClear) {
  AppliedSteps steps;
  steps.Add(7, 1);
  steps.Add(8, 1);
  steps.Keep({8, 9});
  EXPECT_FALSE(steps.Contains(7, 1));
  EXPECT_TRUE(steps.Contains(8, 1));
  steps.Clear();
  EXPECT_FALSE(steps.Contains(8, 1));
  EXPECT_EQ(steps.trainers(), 0U);
}

}  // namespace
}  // namespace primus::ps
