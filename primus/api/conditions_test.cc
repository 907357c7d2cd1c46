#include "primus/api/conditions.h"

#include <gtest/gtest.h>

#include "proto/wire/node.pb.h"

namespace primus::api {
namespace {

constexpr WallTime kEarly{Seconds(1)};
constexpr WallTime kLate{Seconds(2)};

TEST(ConditionsTest, TransitionTimeMovesOnlyWithTheTruth) {
  wire::JobStatus status;
  EXPECT_TRUE(SetCondition(&status, {.type = kRunning, .reason = "Started"}, kEarly, 1));
  EXPECT_TRUE(SetCondition(&status, {.type = kRunning, .reason = "StillSo"}, kLate, 2));
  const wire::Condition* running = FindCondition(status, kRunning);
  ASSERT_NE(running, nullptr);
  EXPECT_EQ(running->transition_nanos(), Seconds(1).count());
  EXPECT_EQ(running->reason(), "StillSo");
  EXPECT_EQ(running->observed_generation(), 2u);
  EXPECT_FALSE(SetCondition(&status, {.type = kRunning, .reason = "StillSo"}, kLate, 2));
  EXPECT_TRUE(SetCondition(&status, {.type = kRunning, .truth = Truth::kFalse}, kLate, 2));
  EXPECT_EQ(FindCondition(status, kRunning)->transition_nanos(), Seconds(2).count());
}

TEST(ConditionsTest, FirstFalseIsKept) {
  wire::JobStatus status;
  EXPECT_TRUE(SetCondition(&status, {.type = kRestarting, .truth = Truth::kFalse}, kEarly, 1));
  EXPECT_FALSE(IsTrue(status, kRestarting));
  EXPECT_EQ(FindCondition(status, kRestarting)->transition_nanos(), Seconds(1).count());
}

TEST(ConditionsTest, TerminalConditionsNeverFlip) {
  wire::JobStatus status;
  EXPECT_TRUE(SetCondition(&status, {.type = kCompleted}, kEarly, 1));
  EXPECT_FALSE(SetCondition(&status, {.type = kCompleted, .truth = Truth::kFalse}, kLate, 1));
  EXPECT_FALSE(SetCondition(&status, {.type = kFailed}, kLate, 1));
  EXPECT_TRUE(IsTrue(status, kCompleted));
  EXPECT_FALSE(IsTrue(status, kFailed));
  EXPECT_EQ(FindTerminal(status)->type(), kCompleted);
}

TEST(ConditionsTest, PhaseIsTheWeightiestTrueCondition) {
  wire::JobStatus status;
  EXPECT_EQ(Phase(status), "Pending");
  SetCondition(&status, {.type = kCreated}, kEarly, 1);
  EXPECT_EQ(Phase(status), "Pending");
  SetCondition(&status, {.type = kRunning}, kEarly, 1);
  EXPECT_EQ(Phase(status), "Running");
  SetCondition(&status, {.type = kRestarting}, kEarly, 1);
  EXPECT_EQ(Phase(status), "Restarting");
  SetCondition(&status, {.type = kSuspended}, kEarly, 1);
  EXPECT_EQ(Phase(status), "Suspended");
  SetCondition(&status, {.type = kFailed}, kEarly, 1);
  EXPECT_EQ(Phase(status), "Failed");
}

}  // namespace
}  // namespace primus::api
