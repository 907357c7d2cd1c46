// A job from its first attempt to its end: begin, gather, run, lease, phases, outcome.
#include "primus/master/core.h"

#include <gtest/gtest.h>

#include "primus/master/test_crew.h"

#include "proto/wire/control.pb.h"
#include "proto/wire/record.pb.h"
#include "proto/wire/task.pb.h"

namespace primus::master {
namespace {

using Storage = TestCrew::Storage;

TEST(Core, NobodyRunsBeforeTheBeginRecordIsDurable) {
  TestCrew crew;
  crew.storage = Storage::kWaits;
  crew.RunAll();
  crew.Pass(Seconds(3));
  EXPECT_TRUE(crew.AllAre(wire::ATTACH));
  EXPECT_EQ(crew.puts, 1);
  const wire::Record begin = crew.WaitingRecord();
  EXPECT_EQ(begin.number(), 1U);
  EXPECT_EQ(begin.begin().attempt(), 1U);
  EXPECT_EQ(begin.begin().view(), 1U);
  EXPECT_EQ(begin.begin().from_record(), 0U);
  crew.AnswerPut(PutResult::kPut);
  crew.RunAll();
  EXPECT_TRUE(crew.AllAre(wire::RUN));
  EXPECT_EQ(crew["ps-0"].restored_cut(), 0U) << "a fresh model";
}

TEST(Core, AllGatherFencedBeforeAnythingIsRestored) {
  TestCrew crew(TestJob(), {"trainer-1"});
  crew.RunAll();
  EXPECT_TRUE(crew.AllAre(wire::FENCED));
  crew["ps-1"].will.report = false;
  crew.Launch("trainer-1");
  crew.RunAll();
  EXPECT_EQ(crew["ps-0"].mode(), wire::FENCED) << "ps-1 has not answered";
  crew["ps-1"].will.report = true;
  crew["ps-1"].will.restore = false;
  crew.RunAll();
  EXPECT_EQ(crew["ps-0"].mode(), wire::RESTORE);
  EXPECT_EQ(crew["ps-1"].mode(), wire::RESTORE);
  EXPECT_EQ(crew["trainer-0"].mode(), wire::FENCED);
  EXPECT_EQ(crew["executor-0"].mode(), wire::FENCED);
  crew["ps-1"].will.restore = true;
  crew.RunAll();
  EXPECT_TRUE(crew.AllAre(wire::RUN));
  const wire::Directive& run = crew["trainer-0"].directive();
  EXPECT_EQ(run.stamp().view(), 1U);
  EXPECT_EQ(run.flow().attempt(), 1U);
  EXPECT_EQ(run.flow().view(), 1U);
  EXPECT_EQ(run.members_size(), 6);
}

TEST(Core, AnExecutorMayComeLater) {
  TestCrew crew(TestJob(), {"executor-0", "executor-1"});
  crew.RunAll();
  EXPECT_TRUE(crew.AllAre(wire::RUN));
  crew.Launch("executor-0");
  crew.RunAll();
  EXPECT_EQ(crew["executor-0"].mode(), wire::RUN);
  EXPECT_EQ(crew["executor-0"].stamp().view, 2U);
  EXPECT_EQ(crew["trainer-0"].directive().flow().view(), 1U) << "nothing was reset";
  EXPECT_TRUE(crew.Lease("executor-0"));
}

TEST(Core, SaysWhomItWaitsFor) {
  TestCrew crew;
  crew["ps-1"].will.report = false;
  crew.Pass(Seconds(6));
  EXPECT_TRUE(crew.Noted("Gathering, waiting for job/ps-1/1.1 (not heard)"));
}

TEST(Core, LeasesInOrderWhileItRuns) {
  TestCrew crew;
  crew.storage = Storage::kWaits;
  crew.RunAll();
  wire::LeaseResponse response;
  EXPECT_EQ(crew.AskLease("executor-0", 1, &response).code(), StatusCode::kFailedPrecondition)
      << "there is no view yet";
  crew.storage = Storage::kWorks;
  crew.AnswerPut(PutResult::kPut);
  crew.RunAll();
  std::vector<TaskId> tasks;
  for (int i = 0; i < 4; ++i) {
    tasks.push_back(*crew.Lease(i % 2 == 0 ? "executor-0" : "executor-1"));
  }
  EXPECT_EQ(tasks, (std::vector<TaskId>{0, 1, 2, 3}));
  EXPECT_FALSE(crew.Lease("executor-0")) << "all are leased";
}

TEST(Core, LeasesOnlyToExecutorsOfTheView) {
  TestCrew crew;
  crew.RunAll();
  wire::LeaseRequest request;
  request.mutable_stamp()->set_attempt(1);
  request.mutable_stamp()->set_view(1);
  request.set_request(1);
  request.set_tasks_max(1);
  request.set_incarnation(4711);
  wire::LeaseResponse response;
  EXPECT_EQ(crew.core->OnLease(request, crew.now, &response).code(),
            StatusCode::kFailedPrecondition);
  request.set_incarnation(crew["executor-0"].incarnation());
  request.mutable_stamp()->set_attempt(0);
  EXPECT_EQ(crew.core->OnLease(request, crew.now, &response).code(),
            StatusCode::kFailedPrecondition);
  EXPECT_EQ(response.tasks_size(), 0);
}

TEST(Core, TheSameRequestGetsTheSameAnswer) {
  TestCrew crew;
  crew.planning = false;
  crew.RunAll();
  wire::LeaseResponse nothing;
  ASSERT_TRUE(crew.AskLease("executor-0", 1, &nothing).ok());
  EXPECT_EQ(nothing.state(), wire::WAIT);
  crew.planning = true;
  crew.RunAll();
  wire::LeaseResponse again;
  ASSERT_TRUE(crew.AskLease("executor-0", 1, &again).ok());
  EXPECT_EQ(again.state(), wire::WAIT) << "though there are tasks now";
  wire::LeaseResponse first;
  wire::LeaseResponse repeated;
  ASSERT_TRUE(crew.AskLease("executor-0", 2, &first).ok());
  ASSERT_TRUE(crew.AskLease("executor-0", 2, &repeated).ok());
  EXPECT_EQ(first.state(), wire::GRANTED);
  EXPECT_EQ(repeated.SerializeAsString(), first.SerializeAsString());
  EXPECT_EQ(crew.AskLease("executor-0", 1, &repeated).code(), StatusCode::kFailedPrecondition)
      << "too late: a later one is answered";
}

TEST(Core, TheEndOfTheTasksEndsThePhaseWithASavePointToKeep) {
  TestCrew crew;
  crew.RunAll();
  crew.storage = Storage::kWaits;
  crew.WorkAll();
  EXPECT_EQ(crew.trained(), 40U);
  wire::LeaseResponse response;
  ASSERT_TRUE(crew.AskLease("executor-1", 1, &response).ok());
  EXPECT_EQ(response.state(), wire::DRAINED);
  const wire::Manifest manifest = crew.WaitingRecord().manifest();
  EXPECT_EQ(manifest.reason(), "Phase");
  EXPECT_TRUE(manifest.keep());
  EXPECT_EQ(manifest.position().phase(), 1U);
  EXPECT_EQ(manifest.position().counts().read(), 40U);
  EXPECT_FALSE(crew.outcome);
  crew.AnswerPut(PutResult::kPut);
  ASSERT_TRUE(crew.outcome);
  EXPECT_EQ(crew.outcome->ending, Ending::kCompleted);
}

TEST(Core, APhaseIsSavedBeforeTheNextIsLeased) {
  CoreOptions options = TestJob();
  options.phases.resize(3);
  options.phases[0].windows = {"mon"};
  options.phases[2].windows = {"tue"};
  options.phases[2].scope.purpose = batch::Purpose::kHoldout;
  TestCrew crew(options);
  crew.RunAll();
  crew["ps-0"].will.write = false;
  crew.WorkAll();
  EXPECT_EQ(crew.core->progress().phase, 0U);
  EXPECT_FALSE(crew.Lease("executor-0"));
  crew["ps-0"].will.write = true;
  crew.RunAll();
  EXPECT_EQ(crew.core->progress().phase, 2U) << "the one without windows is saved as well";
  EXPECT_EQ(crew.core->history().manifest()->cut(), 2U);
  wire::LeaseResponse response;
  ASSERT_TRUE(crew.AskLease("executor-1", 1, &response).ok());
  EXPECT_EQ(response.tasks(0).task().window(), "tue");
  EXPECT_EQ(response.tasks(0).scope().purpose(), static_cast<uint32_t>(batch::Purpose::kHoldout));
}

TEST(Core, AnEvaluationWithoutRowsIsNoted) {
  CoreOptions options = TestJob();
  options.phases.resize(2);
  options.phases[1].scope.purpose = batch::Purpose::kHoldout;
  TestCrew crew(options);
  crew.RunAll();
  EXPECT_FALSE(crew.Noted("no row was evaluated"));
  crew.WorkAll();
  ASSERT_TRUE(crew.outcome);
  EXPECT_EQ(crew.outcome->ending, Ending::kCompleted);
  EXPECT_TRUE(crew.Noted("no row was evaluated"));
}

TEST(Core, ALatePlanIsIgnored) {
  TestCrew crew;
  crew.RunAll();
  crew.core->OnPlanned("mon", TasksOf("mon"), crew.now);
  crew.core->OnPlanned("wed", TasksOf("wed"), crew.now);
  crew.WorkAll();
  EXPECT_EQ(crew.trained(), 40U);
  EXPECT_EQ(crew.outcome->ending, Ending::kCompleted);
}

TEST(Core, AStopSavesAndEndsAsSuspended) {
  TestCrew crew;
  crew.RunAll();
  crew.Work();
  crew["trainer-1"].will.hold = false;
  crew.core->OnStop(crew.now);
  crew.RunAll();
  EXPECT_FALSE(crew.outcome);
  crew["trainer-1"].will.hold = true;
  crew.RunAll();
  ASSERT_TRUE(crew.outcome);
  EXPECT_EQ(crew.outcome->ending, Ending::kSuspended);
  EXPECT_EQ(crew.RecordOf(2).manifest().reason(), "Stop");
  EXPECT_FALSE(crew.RecordOf(2).manifest().keep());
}

TEST(Core, NobodyLeavesBeforeTheOutcomeIsWritten) {
  TestCrew crew;
  crew.RunAll();
  crew.WorkAll();
  ASSERT_TRUE(crew.outcome);
  crew.Pass(Seconds(3));
  EXPECT_TRUE(crew.AllAre(wire::RUN));
  crew.Launch("executor-1");
  crew.RunAll();
  EXPECT_EQ(crew["executor-1"].mode(), wire::FENCED) << "it comes too late";
  crew.core->OnOutcomeWritten(crew.now);
  crew.RunAll();
  EXPECT_TRUE(crew.AllAre(wire::LEAVE));
}

TEST(Core, AReplicaThatCannotGoOnFailsTheJob) {
  TestCrew crew;
  crew.RunAll();
  crew["trainer-1"].failure = DataLossError("no such column");
  crew.RunAll();
  ASSERT_TRUE(crew.outcome);
  EXPECT_EQ(crew.outcome->ending, Ending::kFailed);
  EXPECT_EQ(crew.outcome->error.code(), StatusCode::kDataLoss);
  EXPECT_NE(crew.outcome->error.message().find("trainer-1"), std::string::npos);
}

TEST(Core, ARowThatCountsTwiceFailsTheJob) {
  TestCrew crew;
  crew.RunAll();
  const TaskId task = *crew.Lease("executor-0");
  crew["trainer-0"].Train(task, 0, 6);
  crew["trainer-1"].Train(task, 5, 10);
  crew.RunAll();
  ASSERT_TRUE(crew.outcome);
  EXPECT_EQ(crew.outcome->ending, Ending::kFailed);
  EXPECT_EQ(crew.outcome->error.code(), StatusCode::kInternal);
}

TEST(Core, AnIncrementCountsOnceHoweverOftenItComes) {
  TestCrew crew;
  crew.RunAll();
  crew["trainer-0"].Train(*crew.Lease("executor-0"), 0, 6);
  const wire::ReplicaStatus status = crew["trainer-0"].StatusNow();
  EXPECT_EQ(status.trainer().increments_size(), 1);
  EXPECT_TRUE(crew.Deliver(status).ok());
  EXPECT_TRUE(crew.Deliver(status).ok());
  crew.RunAll();
  EXPECT_FALSE(crew.outcome);
  EXPECT_EQ(crew.trained(), 6U);
  EXPECT_EQ(crew["trainer-0"].directive().acked_increment(), 1U);
  EXPECT_EQ(crew["trainer-0"].StatusNow().trainer().increments_size(), 0);
}

}  // namespace
}  // namespace primus::master
