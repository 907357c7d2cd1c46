// What the core does on directives: views, cuts, rollback, a restarted master.
#include <gtest/gtest.h>

#include "primus/train/metrics.h"
#include "primus/trainer/core_harness.h"

#include "proto/wire/control.pb.h"

namespace primus::trainer {
namespace {

using Tasks = std::vector<uint64_t>;

struct Running : CoreHarness {
  Running() {
    Direct(RunDirective(1, {kWriter, kOtherWriter}));
    Open(1, kWriter);
    Open(2, kOtherWriter);
  }
  void Train(TaskId task) {
    Publish(1, task);
    Compute();
    AnswerPushes();
  }
};

uint64_t MetricRows(const wire::TrainerStatus& status) {
  uint64_t rows = 0;
  const auto state = train::MetricState::Parse(status.metrics()).value();
  for (const auto& [ordinal, phase] : state.phases()) rows += phase.rows;
  return rows;
}

TEST(TrainerProtocol, AFreshTrainerTakesNothing) {
  CoreHarness trainer;
  EXPECT_EQ(trainer.core.AdmitWriter(kWriter, {1, 1, 0}).code(), StatusCode::kUnavailable);
  trainer.Open(1, kWriter);
  EXPECT_EQ(trainer.closed, std::vector<RingId>{1});
}

TEST(TrainerProtocol, OnlyWritersOfTheViewAndTheFlowAreAdmitted) {
  Running trainer;
  EXPECT_TRUE(trainer.core.AdmitWriter(kWriter, {1, 1, 0}).ok());
  EXPECT_EQ(trainer.core.AdmitWriter(999, {1, 1, 0}).code(), StatusCode::kFailedPrecondition);
  EXPECT_EQ(trainer.core.AdmitWriter(kWriter, {1, 2, 0}).code(), StatusCode::kFailedPrecondition);
}

TEST(TrainerProtocol, ALostExecutorTakesWhatWasNotBegunWithIt) {
  Running trainer;
  trainer.Publish(1, 1);  // begun
  trainer.Compute();
  trainer.Publish(1, 2);  // pulling
  trainer.Publish(2, 3);  // of the other executor
  trainer.PrepareAll();
  trainer.Direct(RunDirective(2, {kOtherWriter}));
  EXPECT_EQ(trainer.closed, std::vector<RingId>{1});
  EXPECT_EQ(trainer.Report().settled_view(), 1U);  // the begun push is not acknowledged
  trainer.AnswerPulls();
  trainer.RunAll();
  trainer.AnswerPushes();
  const wire::TrainerStatus status = trainer.Report();
  EXPECT_EQ(status.settled_view(), 2U);
  EXPECT_EQ(CoreHarness::TasksOf(status), (Tasks{1, 3}));
}

TEST(TrainerProtocol, SettlesAtOnceWhenNothingWasBegun) {
  Running trainer;
  const int before = trainer.reports;
  trainer.Direct(RunDirective(2, {kOtherWriter}));
  EXPECT_EQ(trainer.Report().settled_view(), 2U);
  EXPECT_EQ(trainer.reports, before + 1);
}

TEST(TrainerProtocol, SettlingDoesNotWaitForStepsOfTheNewView) {
  Running trainer;
  trainer.Publish(2, 1);
  trainer.PrepareAll();
  trainer.AnswerPulls();
  trainer.Direct(RunDirective(2, {kOtherWriter}));
  trainer.RunAll();  // begun in view 2
  EXPECT_EQ(trainer.pushes.size(), 2U);
  EXPECT_EQ(trainer.Report().settled_view(), 2U);
}

TEST(TrainerProtocol, ARingThatClosesKeepsTheStepsTakenFromIt) {
  Running trainer;
  trainer.Publish(1, 1);
  trainer.On(RingClosed{1});
  trainer.Compute();
  trainer.AnswerPushes();
  EXPECT_EQ(CoreHarness::TasksOf(trainer.Report()), Tasks{1});
}

TEST(TrainerProtocol, HoldFinishesWhatIsBegunAndBeginsNothing) {
  Running trainer;
  trainer.Publish(1, 1);
  trainer.Compute();  // begun
  trainer.Publish(1, 2);
  trainer.PrepareAll();
  trainer.Direct(AtCut(RunDirective(1, {kWriter, kOtherWriter}), 5, wire::HOLD));
  EXPECT_EQ(trainer.Report().held_cut(), 0U);
  trainer.AnswerPushes();
  wire::TrainerStatus status = trainer.Report();
  EXPECT_EQ(status.held_cut(), 5U);
  EXPECT_EQ(CoreHarness::TasksOf(status), Tasks{1});
  EXPECT_EQ(MetricRows(status), 10U);
  trainer.AnswerPulls();
  trainer.RunAll();
  EXPECT_TRUE(trainer.pushes.empty());
  trainer.Direct(AtCut(RunDirective(1, {kWriter, kOtherWriter}), 5, wire::FREEZE));
  EXPECT_TRUE(trainer.pushes.empty());
  EXPECT_EQ(trainer.Report().held_cut(), 5U);
  trainer.Direct(AtCut(RunDirective(1, {kWriter, kOtherWriter}), 5, wire::NO_CUT));
  EXPECT_EQ(trainer.pushes.size(), 2U);
  EXPECT_EQ(trainer.Report().held_cut(), 0U);
}

TEST(TrainerProtocol, AHoldoutBatchIsNotCountedWhileHolding) {
  Running trainer;
  trainer.Publish(1, 1, kHoldout);
  trainer.PrepareAll();
  trainer.AnswerPulls();
  trainer.Direct(AtCut(RunDirective(1, {kWriter, kOtherWriter}), 5, wire::HOLD));
  trainer.RunAll();
  const wire::TrainerStatus held = trainer.Report();
  EXPECT_EQ(held.held_cut(), 5U);
  EXPECT_EQ(CoreHarness::TasksOf(held), Tasks{});
  EXPECT_EQ(MetricRows(held), 0U);
  trainer.Direct(AtCut(RunDirective(1, {kWriter, kOtherWriter}), 5, wire::NO_CUT));
  EXPECT_EQ(CoreHarness::TasksOf(trainer.Report()), Tasks{1});
}

TEST(TrainerProtocol, AcknowledgedIncrementsAreNotSentAgain) {
  Running trainer;
  trainer.Train(1);
  EXPECT_EQ(trainer.Report().increments(0).number(), 1U);
  trainer.Train(2);
  EXPECT_EQ(CoreHarness::TasksOf(trainer.Report()), (Tasks{1, 2}));
  wire::Directive acknowledged = RunDirective(1, {kWriter, kOtherWriter});
  acknowledged.set_acked_increment(1);
  trainer.Direct(acknowledged);
  const wire::TrainerStatus status = trainer.Report();
  EXPECT_EQ(CoreHarness::TasksOf(status), Tasks{2});
  EXPECT_EQ(status.increments(0).number(), 2U);
}

TEST(TrainerProtocol, ANewMasterIsToldEverythingUnsaved) {
  Running trainer;
  trainer.Train(1);
  trainer.Report();
  trainer.Direct(AtCut(RunDirective(1, {kWriter, kOtherWriter}), 1, wire::HOLD));
  wire::Directive saved = AtCut(RunDirective(1, {kWriter, kOtherWriter}), 1, wire::NO_CUT);
  saved.set_saved_cut(1);
  saved.set_acked_increment(1);
  trainer.Direct(saved);
  trainer.Train(2);
  trainer.Report();
  saved.set_acked_increment(2);
  trainer.Direct(saved);
  EXPECT_EQ(CoreHarness::TasksOf(trainer.Report()), Tasks{});
  wire::Directive attach = WithMode(RunDirective(1, {kWriter, kOtherWriter}), wire::ATTACH);
  attach.mutable_stamp()->set_attempt(2);
  trainer.Direct(attach);
  EXPECT_EQ(CoreHarness::TasksOf(trainer.Report()), Tasks{2});
}

TEST(TrainerProtocol, AttachBeginsNothingAndSendsNoPush) {
  Running trainer;
  trainer.Publish(1, 1);
  trainer.Compute();
  trainer.Publish(1, 2);
  trainer.PrepareAll();
  trainer.AnswerPulls();
  wire::Directive attach = WithMode(RunDirective(1, {kWriter, kOtherWriter}), wire::ATTACH);
  attach.mutable_stamp()->set_attempt(2);
  trainer.Direct(attach);
  trainer.RunAll();
  trainer.AnswerPushes(UnavailableError("attaching"));
  trainer.Pass(Seconds(5));
  EXPECT_TRUE(trainer.pushes.empty());
  EXPECT_TRUE(trainer.closed.empty());
  // The new master goes on with what there is: the begun push under the same number.
  wire::Directive run = RunDirective(2, {kWriter, kOtherWriter});
  run.mutable_stamp()->set_attempt(2);
  *run.mutable_flow() = run.stamp();
  trainer.Direct(run);
  ASSERT_EQ(trainer.pushes.size(), 2U);
  EXPECT_EQ(trainer.pushes[0].number, 1U);
  // A new flow: what was taken and not begun is gone, and so are the rings.
  EXPECT_EQ(trainer.closed, (std::vector<RingId>{1, 2}));
  EXPECT_EQ(trainer.Report().settled_view(), 1U);
  trainer.AnswerPushes();
  EXPECT_EQ(trainer.Report().settled_view(), 2U);
}

TEST(TrainerProtocol, ASavedCutIsForgottenAndADiscardedOneJoinsTheNext) {
  Running trainer;
  const wire::Directive run = RunDirective(1, {kWriter, kOtherWriter});
  trainer.Train(1);
  trainer.Direct(AtCut(run, 1, wire::HOLD));
  trainer.Direct(AtCut(run, 1, wire::NO_CUT));  // discarded
  trainer.Train(2);
  trainer.Direct(AtCut(run, 2, wire::HOLD));
  const wire::TrainerStatus held = trainer.Report();
  EXPECT_EQ(CoreHarness::TasksOf(held), (Tasks{1, 2}));
  EXPECT_EQ(MetricRows(held), 20U);
  wire::Directive saved = AtCut(run, 2, wire::NO_CUT);
  saved.set_saved_cut(2);
  trainer.Direct(saved);
  trainer.Train(3);
  wire::Directive next = AtCut(run, 3, wire::HOLD);
  next.set_saved_cut(2);
  trainer.Direct(next);
  EXPECT_EQ(CoreHarness::TasksOf(trainer.Report()), Tasks{3});
  EXPECT_EQ(MetricRows(trainer.Report()), 10U);
}

TEST(TrainerProtocol, FencedDropsEverythingThatIsNotSaved) {
  Running trainer;
  trainer.Train(1);
  trainer.Publish(1, 2);
  trainer.Compute();  // begun
  const auto late = trainer.pushes;
  trainer.Direct(WithMode(RunDirective(2, {kWriter}), wire::FENCED));
  EXPECT_EQ(trainer.closed, (std::vector<RingId>{1, 2}));
  EXPECT_EQ(CoreHarness::TasksOf(trainer.Report()), Tasks{});
  for (const SendPush& push : late) trainer.Acknowledge(push);
  EXPECT_EQ(CoreHarness::TasksOf(trainer.Report()), Tasks{});
  EXPECT_EQ(trainer.core.AdmitWriter(kWriter, {1, 1, 0}).code(), StatusCode::kUnavailable);
}

TEST(TrainerProtocol, AfterARollbackNumbersGoOn) {
  Running trainer;
  trainer.Train(1);
  trainer.Report();
  trainer.Direct(WithMode(RunDirective(2, {kWriter}), wire::FENCED));
  trainer.Direct(WithMode(RunDirective(2, {kWriter}), wire::RESTORE));
  wire::Directive run = RunDirective(2, {kWriter});
  run.mutable_flow()->set_view(2);
  trainer.Direct(run);
  trainer.On(RingOpened{.ring = 3, .writer = kWriter, .flow = {1, 2, 0}});
  trainer.Publish(3, 4);
  trainer.Compute();
  EXPECT_EQ(trainer.pushes[0].number, 2U);
  trainer.AnswerPushes();
  const wire::TrainerStatus status = trainer.Report();
  EXPECT_EQ(status.increments(0).number(), 2U);
  EXPECT_EQ(CoreHarness::TasksOf(status), Tasks{4});
  EXPECT_EQ(status.settled_view(), 2U);
}

TEST(TrainerProtocol, WorkOnThePoolCountsUntilItIsOver) {
  CoreHarness trainer({.steps_max = 1});
  trainer.Direct(RunDirective(1, {kWriter}));
  trainer.Open(1, kWriter);
  trainer.Publish(1, 1);
  trainer.Direct(WithMode(RunDirective(2, {kWriter}), wire::FENCED));
  EXPECT_TRUE(trainer.forgotten.empty());
  wire::Directive run = RunDirective(2, {kWriter});
  run.mutable_flow()->set_view(2);
  trainer.Direct(run);
  trainer.On(RingOpened{.ring = 2, .writer = kWriter, .flow = {1, 2, 0}});
  trainer.Publish(2, 2);
  EXPECT_EQ(trainer.preparing.size(), 1U);  // still that of before
  const StepId dropped = trainer.preparing[0];
  trainer.On(StepPrepared{dropped});
  EXPECT_EQ(trainer.forgotten, std::vector<StepId>{dropped});
  EXPECT_EQ(trainer.preparing.size(), 2U);
}

TEST(TrainerProtocol, WhoIsNotInTheViewStaysFenced) {
  Running trainer;
  trainer.Train(1);
  wire::Directive other = RunDirective(2, {kWriter});
  other.set_incarnation(555);
  trainer.Direct(other);
  EXPECT_EQ(trainer.closed.size(), 2U);
  EXPECT_EQ(CoreHarness::TasksOf(trainer.Report()), Tasks{});
}

TEST(TrainerProtocol, PsThatChangeWithoutARollbackFailTheJob) {
  Running trainer;
  trainer.Publish(1, 1);
  trainer.Compute();
  wire::Directive changed = RunDirective(2, {kWriter, kOtherWriter});
  changed.mutable_members(1)->set_incarnation(77);
  trainer.Direct(changed);
  ASSERT_EQ(trainer.failures.size(), 1U);
  EXPECT_EQ(trainer.failures[0].status.message(), "the ps of the view changed without a rollback");
}

}  // namespace
}  // namespace primus::trainer
