// What the core does with batches: order, overlap, refusals, failures.
#include <gtest/gtest.h>

#include "primus/trainer/core_harness.h"

#include "proto/wire/control.pb.h"

namespace primus::trainer {
namespace {

using Tasks = std::vector<uint64_t>;

// In RUN with one ring open.
struct Running : CoreHarness {
  explicit Running(CoreOptions options = {}) : CoreHarness(options) {
    Direct(RunDirective(1, {kWriter}));
    Open(1, kWriter);
  }
};

TEST(TrainerSteps, ABatchIsTrainedWhenEveryPsHasAcknowledged) {
  Running trainer;
  trainer.Publish(1, 7);
  ASSERT_EQ(trainer.preparing.size(), 1U);
  trainer.PrepareAll();
  ASSERT_EQ(trainer.pulls.size(), 2U);
  EXPECT_EQ(trainer.pulls[0].ps, 0U);
  EXPECT_EQ(trainer.pulls[1].ps, 1U);
  const StepId step = trainer.pulls[0].step;
  trainer.On(PullAnswered{.step = step, .ps = 0, .status = {}});
  EXPECT_TRUE(trainer.running.empty());
  trainer.On(PullAnswered{.step = step, .ps = 1, .status = {}});
  EXPECT_TRUE(trainer.released.empty());
  trainer.RunAll();
  EXPECT_EQ(trainer.released.size(), 1U);
  ASSERT_EQ(trainer.pushes.size(), 2U);
  EXPECT_EQ(trainer.pushes[0].number, 1U);
  EXPECT_EQ(trainer.pushes[1].number, 1U);
  trainer.Acknowledge(trainer.pushes[0]);
  EXPECT_EQ(CoreHarness::TasksOf(trainer.Report()), Tasks{});
  trainer.Acknowledge(trainer.pushes[1]);
  EXPECT_EQ(CoreHarness::TasksOf(trainer.Report()), Tasks{7});
  EXPECT_EQ(trainer.forgotten.size(), 1U);
}

TEST(TrainerSteps, AnAnswerThatComesTwiceIsCountedOnce) {
  Running trainer;
  trainer.Publish(1, 7);
  trainer.Compute();
  const auto pushes = trainer.pushes;
  trainer.AnswerPushes();
  for (const SendPush& push : pushes) trainer.Acknowledge(push);
  EXPECT_EQ(CoreHarness::TasksOf(trainer.Report()), Tasks{7});
}

TEST(TrainerSteps, ARefusedPushIsSentAgainAsTheSameStep) {
  Running trainer;
  trainer.Publish(1, 7);
  trainer.Compute();
  const SendPush first = trainer.pushes[0];
  trainer.Acknowledge(trainer.pushes[1]);
  trainer.pushes.clear();
  trainer.Acknowledge(first, UnavailableError("fenced"));
  EXPECT_TRUE(trainer.pushes.empty());
  ASSERT_TRUE(trainer.core.next_wake());
  trainer.Pass(*trainer.core.next_wake() - trainer.now);
  ASSERT_EQ(trainer.pushes.size(), 1U);
  EXPECT_EQ(trainer.pushes[0].number, first.number);
  EXPECT_EQ(trainer.pushes[0].ps, first.ps);
}

TEST(TrainerSteps, ANewDirectiveSendsWhatWaitsAtOnce) {
  Running trainer;
  trainer.Publish(1, 7);
  trainer.Compute();
  trainer.AnswerPushes(FailedPreconditionError("stale stamp"));
  EXPECT_TRUE(trainer.pushes.empty());
  trainer.Direct(RunDirective(2, {kWriter}));
  ASSERT_EQ(trainer.pushes.size(), 2U);
  EXPECT_EQ(trainer.pushes[0].number, 1U);
}

TEST(TrainerSteps, ARefusedPullIsSentAgain) {
  Running trainer;
  trainer.Publish(1, 7);
  trainer.PrepareAll();
  trainer.AnswerPulls(DeadlineExceededError("slow"));
  trainer.Pass(Seconds(1));
  EXPECT_EQ(trainer.pulls.size(), 2U);
  trainer.AnswerPulls();
  EXPECT_EQ(trainer.running.size(), 1U);
}

TEST(TrainerSteps, BackOffGrowsToHalfASecond) {
  Running trainer;
  trainer.Publish(1, 7);
  trainer.PrepareAll();
  Duration longest{0};
  for (int i = 0; i < 10; ++i) {
    trainer.AnswerPulls(UnavailableError("away"));
    const Duration wait = *trainer.core.next_wake() - trainer.now;
    EXPECT_GE(wait, longest);
    longest = wait;
    trainer.Pass(wait);
  }
  EXPECT_EQ(longest, Milliseconds(500));
}

TEST(TrainerSteps, WhoIsNoMemberEnds) {
  Running trainer;
  trainer.Publish(1, 7);
  trainer.PrepareAll();
  trainer.AnswerPulls(Status(StatusCode::kPermissionDenied, "not in view"));
  ASSERT_FALSE(trainer.ends.empty());
  EXPECT_EQ(trainer.ends[0].code(), StatusCode::kPermissionDenied);
}

TEST(TrainerSteps, AnErrorThatCannotPassFailsTheJob) {
  Running trainer;
  trainer.Publish(1, 7);
  trainer.Compute();
  trainer.Acknowledge(trainer.pushes[1], InvalidArgumentError("unknown table"));
  ASSERT_EQ(trainer.failures.size(), 1U);
  EXPECT_EQ(trainer.failures[0].status.message(), "ps 1: unknown table");
}

TEST(TrainerSteps, AnInternalErrorFailsTheJobOnlyIfItStays) {
  Running trainer;
  trainer.Publish(1, 7);
  trainer.PrepareAll();
  for (int i = 0; i < 5; ++i) {
    trainer.AnswerPulls(InternalError("dropped"));
    trainer.Pass(Seconds(1));
  }
  EXPECT_TRUE(trainer.failures.empty());
  for (int i = 0; i < 20; ++i) {
    trainer.AnswerPulls(InternalError("dropped"));
    trainer.Pass(Seconds(1));
  }
  EXPECT_EQ(trainer.failures.size(), 1U);
}

TEST(TrainerSteps, ARefusedBatchIsNeverPushedAndNothingBeginsAfterIt) {
  Running trainer;
  trainer.Publish(1, 7);
  trainer.Publish(1, 8);
  trainer.PrepareAll();
  trainer.AnswerPulls();
  const StepId refused = trainer.running.front();
  trainer.running.erase(trainer.running.begin());
  trainer.On(StepRefused{.step = refused, .status = InvalidArgumentError("NaN")});
  ASSERT_EQ(trainer.failures.size(), 1U);
  EXPECT_EQ(trainer.failures[0].step, refused);
  trainer.RunAll();
  EXPECT_TRUE(trainer.pushes.empty());
  EXPECT_EQ(CoreHarness::TasksOf(trainer.Report()), Tasks{});
}

TEST(TrainerSteps, AsyncKeepsSeveralInFlight) {
  Running trainer({.steps_max = 3});
  for (TaskId task = 1; task <= 5; ++task) trainer.Publish(1, task);
  EXPECT_EQ(trainer.preparing.size(), 3U);
  EXPECT_EQ(trainer.published[1].size(), 2U);
  trainer.Compute();
  ASSERT_EQ(trainer.pushes.size(), 6U);
  EXPECT_EQ(trainer.pushes[0].lowest_unacknowledged, 1U);
  trainer.Acknowledge(trainer.pushes[0]);
  trainer.Acknowledge(trainer.pushes[1]);
  EXPECT_EQ(trainer.preparing.size(), 1U);
}

TEST(TrainerSteps, LowestUnacknowledgedFollowsTheOldestPush) {
  Running trainer;
  for (TaskId task = 1; task <= 3; ++task) trainer.Publish(1, task);
  trainer.Compute();
  const auto pushes = trainer.pushes;  // steps 1, 1, 2, 2, 3, 3
  trainer.Acknowledge(pushes[2]);
  trainer.Acknowledge(pushes[3]);
  trainer.pushes.clear();
  trainer.Publish(1, 4);
  trainer.Compute();
  EXPECT_EQ(trainer.pushes[0].number, 4U);
  EXPECT_EQ(trainer.pushes[0].lowest_unacknowledged, 1U);
  trainer.Acknowledge(pushes[0]);
  trainer.Acknowledge(pushes[1]);
  trainer.pushes.clear();
  trainer.Publish(1, 5);
  trainer.Compute();
  EXPECT_EQ(trainer.pushes[0].lowest_unacknowledged, 3U);
}

TEST(TrainerSteps, SyncPullsOnlyAfterTheLastPushIsAcknowledged) {
  Running trainer({.steps_max = 3, .overlap = Overlap::kNone});
  for (TaskId task = 1; task <= 3; ++task) trainer.Publish(1, task);
  EXPECT_EQ(trainer.preparing.size(), 1U);
  trainer.Compute();
  EXPECT_TRUE(trainer.preparing.empty());
  trainer.AnswerPushes();
  EXPECT_EQ(trainer.preparing.size(), 1U);
}

TEST(TrainerSteps, ProgressiveBlocksGoOneAtATime) {
  Running trainer;
  for (TaskId task = 1; task <= 3; ++task) trainer.Publish(1, task, kProgressive);
  EXPECT_EQ(trainer.preparing.size(), 1U);
  trainer.Compute();
  EXPECT_EQ(trainer.pushes.size(), 2U);
  EXPECT_TRUE(trainer.preparing.empty());
}

TEST(TrainerSteps, HoldoutRunsSeveralAndPushesNothing) {
  Running trainer({.steps_max = 3, .overlap = Overlap::kNone});
  for (TaskId task = 1; task <= 3; ++task) trainer.Publish(1, task, kHoldout);
  EXPECT_EQ(trainer.preparing.size(), 3U);
  trainer.Compute();
  EXPECT_TRUE(trainer.pushes.empty());
  EXPECT_EQ(CoreHarness::TasksOf(trainer.Report()), (Tasks{1, 2, 3}));
}

TEST(TrainerSteps, ABatchOfAnotherPhaseWaitsForThePushesInFlight) {
  Running trainer;
  trainer.Publish(1, 1);
  trainer.Compute();
  trainer.Publish(1, 2, kHoldout);
  EXPECT_TRUE(trainer.preparing.empty());
  trainer.AnswerPushes();
  EXPECT_EQ(trainer.preparing.size(), 1U);
}

TEST(TrainerSteps, ABatchWithoutRowsIsDoneWithoutAPull) {
  Running trainer;
  trainer.Publish(1, 9, {}, 0);
  EXPECT_TRUE(trainer.preparing.empty());
  EXPECT_EQ(trainer.released.size(), 1U);
  EXPECT_EQ(CoreHarness::TasksOf(trainer.Report()), Tasks{9});
}

TEST(TrainerSteps, RingsAreTakenFromInTurn) {
  CoreHarness trainer({.steps_max = 4});
  trainer.Direct(RunDirective(1, {kWriter, kOtherWriter}));
  trainer.lease = Moment::Lease::kLapsed;
  trainer.Open(1, kWriter);
  trainer.Open(2, kOtherWriter);
  for (TaskId task = 1; task <= 3; ++task) trainer.Publish(1, task);
  for (TaskId task = 4; task <= 6; ++task) trainer.Publish(2, task);
  EXPECT_TRUE(trainer.preparing.empty());
  trainer.lease = Moment::Lease::kValid;
  trainer.Pass(Milliseconds(100));
  EXPECT_EQ(trainer.published[1].size(), 1U);
  EXPECT_EQ(trainer.published[2].size(), 1U);
}

TEST(TrainerSteps, NothingBeginsWithoutAWordFromTheMaster) {
  Running trainer;
  trainer.Publish(1, 1);
  trainer.lease = Moment::Lease::kLapsed;
  trainer.Compute();
  EXPECT_TRUE(trainer.pushes.empty());
  ASSERT_TRUE(trainer.core.next_wake());
  trainer.lease = Moment::Lease::kValid;
  trainer.Pass(*trainer.core.next_wake() - trainer.now);
  EXPECT_EQ(trainer.pushes.size(), 2U);
}

TEST(TrainerSteps, SpansAreReportedSoonAfterTheLastBatch) {
  Running trainer;
  trainer.Publish(1, 1);
  trainer.Compute();
  const int before = trainer.reports;
  trainer.AnswerPushes();
  EXPECT_EQ(trainer.reports, before);
  ASSERT_TRUE(trainer.core.next_wake());
  EXPECT_LE(*trainer.core.next_wake() - trainer.now, Milliseconds(5));
  trainer.Pass(*trainer.core.next_wake() - trainer.now);
  EXPECT_EQ(trainer.reports, before + 1);
}

TEST(TrainerSteps, ProgressSaysWhereTimeGoes) {
  Running trainer;
  trainer.Pass(Seconds(2));
  trainer.Publish(1, 1);
  trainer.PrepareAll();
  trainer.now += Seconds(3);
  trainer.AnswerPulls();
  trainer.now += Seconds(4);
  trainer.RunAll();
  trainer.now += Seconds(5);
  trainer.AnswerPushes();
  const wire::TrainerProgress progress = trainer.Report().progress();
  EXPECT_EQ(progress.wait_seconds(), 2);
  EXPECT_EQ(progress.pull_seconds(), 3);
  EXPECT_EQ(progress.compute_seconds(), 4);
  EXPECT_EQ(progress.push_seconds(), 5);
  EXPECT_EQ(progress.loss_sum(), 5);
  EXPECT_EQ(progress.loss_rows(), 10U);
}

}  // namespace
}  // namespace primus::trainer
