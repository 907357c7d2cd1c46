// Who comes and goes while the job runs: a lost executor changes the view and nothing else.
// docs/protocol.md, section 3.
#include <gtest/gtest.h>

#include "primus/master/test_crew.h"

#include "proto/wire/control.pb.h"
#include "proto/wire/task.pb.h"

namespace primus::master {
namespace {

struct Running : TestCrew {
  Running() { RunAll(); }
};

TEST(CoreMembership, ALostExecutorOnlyChangesTheView) {
  Running crew;
  crew.Work();
  crew.Kill("executor-1");
  crew.RunAll();
  EXPECT_TRUE(crew.AllAre(wire::RUN));
  EXPECT_EQ(crew["trainer-0"].stamp(), (Stamp{1, 2, 0}));
  EXPECT_EQ(crew["trainer-0"].directive().members_size(), 5);
  EXPECT_EQ(crew["trainer-0"].directive().flow().view(), 1U);
  EXPECT_EQ(crew.core->progress().rollbacks, 0U);
  EXPECT_EQ(crew.records.size(), 1U);
  EXPECT_EQ(crew.trained(), 10U);
  EXPECT_TRUE(crew.Noted("executor-1 is lost: its container is gone: killed"));
}

TEST(CoreMembership, ItsTasksAreFreeOnceEveryTrainerHasSettled) {
  Running crew;
  const TaskId task = *crew.Lease("executor-1");
  crew["trainer-1"].Train(task, 2, 4);
  crew.RunAll();
  crew["trainer-1"].will.settle = false;
  crew.Kill("executor-1");
  crew.RunAll();
  for (int i = 0; i < 3; ++i) EXPECT_NE(crew.Lease("executor-0"), task);
  EXPECT_FALSE(crew.Lease("executor-0")) << "only the lost one's is left";
  // A push that was begun before the loss comes to its end.
  crew["trainer-1"].Train(task, 4, 7);
  crew["trainer-1"].will.settle = true;
  crew.RunAll();
  wire::LeaseResponse response;
  ASSERT_TRUE(crew.AskLease("executor-0", 100, &response).ok());
  ASSERT_EQ(response.tasks_size(), 1);
  const wire::LeasedTask& again = response.tasks(0);
  EXPECT_EQ(again.task().id(), task);
  ASSERT_EQ(again.done().bounds_size(), 2) << "what was trained is not read again";
  EXPECT_EQ(again.done().bounds(0), 2U);
  EXPECT_EQ(again.done().bounds(1), 7U);
}

TEST(CoreMembership, EachLossIsSettledByItsOwnView) {
  Running crew;
  crew.Launch("executor-2");
  crew.RunAll();
  const TaskId first = *crew.Lease("executor-1");
  const TaskId second = *crew.Lease("executor-2");
  crew["trainer-0"].will.settle = false;
  crew.Kill("executor-1");
  crew.RunAll();
  crew.Kill("executor-2");
  crew["trainer-0"].will.settle = true;
  crew["trainer-0"].will.report = false;
  crew.RunAll();
  // It has settled the first loss, and has not heard of the second.
  crew["trainer-0"].Act();
  EXPECT_TRUE(crew.Deliver(crew["trainer-0"].StatusNow()).ok());
  EXPECT_EQ(crew.Lease("executor-0"), first);
  EXPECT_NE(crew.Lease("executor-0"), second);
  crew["trainer-0"].will.report = true;
  crew.RunAll();
  EXPECT_EQ(crew.Lease("executor-0"), second);
}

TEST(CoreMembership, ALateReportOfWhatWasBegunCountsBeforeTheTaskIsFree) {
  Running crew;
  const TaskId task = *crew.Lease("executor-1");
  crew.Kill("executor-1");
  crew["trainer-1"].Train(task, 0, 10);
  crew.RunAll();
  EXPECT_EQ(crew.trained(), 10U);
  crew.WorkAll();
  EXPECT_EQ(crew.trained(), 40U) << "the task was complete, and not leased again";
}

TEST(CoreMembership, WhoIsSilentIsLostAndRefusedFromThenOn) {
  Running crew;
  crew["executor-1"].will.report = false;
  crew.Pass(Seconds(9));
  EXPECT_TRUE(crew.lost.empty());
  crew.Pass(Seconds(2));
  EXPECT_EQ(crew.lost, std::vector<std::string>{"job/executor-1/1.1"});
  EXPECT_EQ(crew.core->progress().view, 2U);
  EXPECT_EQ(crew.Report(crew["executor-1"]).code(), StatusCode::kPermissionDenied);
  wire::LeaseResponse response;
  EXPECT_EQ(crew.AskLease("executor-1", 1, &response).code(), StatusCode::kFailedPrecondition);
}

TEST(CoreMembership, AnotherLifeTakesTheSeatUnderANewIncarnation) {
  Running crew;
  const Incarnation before = crew["executor-1"].incarnation();
  const TaskId task = *crew.Lease("executor-1");
  crew.Launch("executor-1");
  crew.RunAll();
  EXPECT_NE(crew["executor-1"].incarnation(), before);
  EXPECT_EQ(crew["executor-1"].mode(), wire::RUN);
  EXPECT_EQ(crew.Lease("executor-1"), task);
  EXPECT_EQ(crew.core->progress().rollbacks, 0U);
}

TEST(CoreMembership, AContainerThatNeverRegistersIsLost) {
  Running crew;
  crew.Launch("executor-2");
  crew["executor-2"].will.report = false;
  crew.Pass(Seconds(11));
  ASSERT_FALSE(crew.lost.empty());
  EXPECT_EQ(crew.lost[0], "job/executor-2/1.1");
  EXPECT_EQ(crew.Report(crew["executor-2"]).code(), StatusCode::kPermissionDenied);
}

}  // namespace
}  // namespace primus::master
