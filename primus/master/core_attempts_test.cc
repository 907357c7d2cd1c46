// A restarted master finds out what is there, and goes on or rolls back. docs/protocol.md,
// section 6.
#include <gtest/gtest.h>

#include "primus/master/test_crew.h"

#include "proto/wire/control.pb.h"
#include "proto/wire/record.pb.h"
#include "proto/wire/task.pb.h"

namespace primus::master {
namespace {

using Storage = TestCrew::Storage;

constexpr const char* kAll[] = {"ps-0",      "ps-1",       "trainer-0",
                                "trainer-1", "executor-0", "executor-1"};

// Save point 2 (cut 1) has 10 rows. Since then one task was trained and another half.
struct Saved : TestCrew {
  Saved() {
    RunAll();
    Work();
    Pass(Seconds(30));
    Work();
    half = *Lease("executor-1");
    (*this)["trainer-1"].Train(half, 0, 5);
    RunAll();
    EXPECT_EQ(trained(), 25U);
  }
  bool RolledBack() const { return Noted("rollback to save point 2: a new attempt"); }

  TaskId half = 0;
};

void Replace(TestCrew& crew, const std::string& name) {
  crew.Kill(name);
  crew.Launch(name);
}

TEST(CoreAttempts, AskEverybodyBeforeTheyReadTheRecords) {
  Saved crew;
  crew["trainer-1"].will.report = false;
  crew.RestartMaster();
  crew.RunAll();
  EXPECT_EQ(crew.mode(), "Asking");
  EXPECT_EQ(crew["ps-0"].mode(), wire::ATTACH);
  EXPECT_EQ(crew["ps-0"].stamp().attempt, 2U);
  EXPECT_EQ(crew["ps-0"].StatusNow().held_mode(), wire::RUN);
  crew["trainer-1"].will.report = true;
  crew.RunAll();
  EXPECT_EQ(crew.mode(), "Running");
}

TEST(CoreAttempts, AWordOfTheAttemptBeforeIsNoAnswer) {
  Saved crew;
  crew["trainer-1"].will.report = false;
  const wire::ReplicaStatus before = crew["trainer-1"].StatusNow();
  crew.RestartMaster();
  EXPECT_TRUE(crew.Deliver(before).ok());
  crew.RunAll();
  EXPECT_EQ(crew.mode(), "Asking");
}

TEST(CoreAttempts, GoOnWithoutARollbackWhenEverybodyIsWhole) {
  Saved crew;
  const uint64_t view = crew["ps-0"].stamp().view;
  crew.RestartMaster();
  crew.storage = Storage::kWaits;
  crew.RunAll();
  EXPECT_TRUE(crew.AllAre(wire::ATTACH));
  EXPECT_EQ(crew.WaitingRecord().begin().attempt(), 2U);
  EXPECT_EQ(crew.WaitingRecord().begin().from_record(), 2U);
  EXPECT_GT(crew.WaitingRecord().begin().view(), view);
  crew["trainer-1"].will.settle = false;
  crew.AnswerPut(PutResult::kPut);
  crew.RunAll();
  EXPECT_TRUE(crew.AllAre(wire::RUN));
  EXPECT_TRUE(crew.Noted("every trainer and ps is whole: going on without a rollback"));
  EXPECT_EQ(crew["ps-0"].restored_cut(), 0U) << "not since the job began";
  const wire::Directive& run = crew["trainer-0"].directive();
  EXPECT_GT(run.stamp().view(), view);
  EXPECT_EQ(run.flow().view(), run.stamp().view());
  EXPECT_EQ(run.flow().attempt(), 2U);
  EXPECT_FALSE(crew.Lease("executor-0")) << "trainer-1 may still finish what it had begun";
  crew["trainer-1"].will.settle = true;
  crew.RunAll();
  // Increments since the save point make the ledger what it was.
  EXPECT_EQ(crew.trained(), 25U);
  wire::LeaseResponse response;
  ASSERT_TRUE(crew.AskLease("executor-0", 100, &response).ok());
  ASSERT_EQ(response.tasks_size(), 1);
  EXPECT_EQ(response.tasks(0).task().id(), crew.half);
  EXPECT_EQ(response.tasks(0).done().bounds(1), 5U);
  EXPECT_EQ(response.tasks(0).generation() >> 32, 2U);
}

TEST(CoreAttempts, EndTheJobWithEachRowOnceEitherWay) {
  for (const bool whole : {true, false}) {
    Saved crew;
    crew.StopMaster();
    if (!whole) Replace(crew, "ps-0");
    crew.RestartMaster();
    crew.RunAll();
    EXPECT_EQ(crew.RolledBack(), !whole);
    EXPECT_EQ(crew.trained(), whole ? 25U : 10U);
    crew.WorkAll();
    EXPECT_EQ(crew.trained(), 40U);
    ASSERT_TRUE(crew.outcome);
    EXPECT_EQ(crew.outcome->ending, Ending::kCompleted);
  }
}

// What happens before the next attempt, and what it leads to.
struct Change {
  const char* name;
  void (*make)(Saved& crew);
  bool rolls_back;
};

class CoreAttemptsAfter : public testing::TestWithParam<Change> {};

TEST_P(CoreAttemptsAfter, RollBackUnlessAllTrainersAndPsAreWhole) {
  Saved crew;
  GetParam().make(crew);
  crew.RestartMaster();
  crew.Pass(Seconds(12));
  EXPECT_TRUE(crew.AllAre(wire::RUN));
  EXPECT_EQ(crew.RolledBack(), GetParam().rolls_back);
  EXPECT_EQ(crew.Noted("going on without a rollback"), !GetParam().rolls_back);
}

INSTANTIATE_TEST_SUITE_P(
    Table, CoreAttemptsAfter,
    testing::Values(Change{"Nothing", [](Saved&) {}, false},
                    Change{"ALostExecutor",
                           [](Saved& crew) {
                             crew.StopMaster();
                             crew.Kill("executor-1");
                           },
                           false},
                    Change{"AnotherExecutor", [](Saved& crew) { Replace(crew, "executor-1"); },
                           false},
                    Change{"AnotherTrainer",
                           [](Saved& crew) {
                             crew.StopMaster();
                             Replace(crew, "trainer-1");
                           },
                           true},
                    Change{"AnotherPs",
                           [](Saved& crew) {
                             crew.StopMaster();
                             Replace(crew, "ps-1");
                           },
                           true},
                    // A job that was stopped and is resumed.
                    Change{"Everybody",
                           [](Saved& crew) {
                             crew.StopMaster();
                             for (const char* name : kAll) Replace(crew, name);
                           },
                           true},
                    // One has heard of a view that the others have not.
                    Change{"TwoViews",
                           [](Saved& crew) {
                             crew["ps-1"].will.report = false;
                             crew.Kill("executor-1");
                             crew.RunAll();
                             crew["ps-1"].will.report = true;
                           },
                           true},
                    // A rollback is under way, and not everybody has heard.
                    Change{"ARollback",
                           [](Saved& crew) {
                             crew["ps-1"].will.report = false;
                             crew.Kill("trainer-1");
                             crew.RunAll();
                             crew.Launch("trainer-1");
                             crew["ps-1"].will.report = true;
                           },
                           true},
                    // All have heard of the rollback.
                    Change{"ARollbackOfAll",
                           [](Saved& crew) {
                             crew.storage = Storage::kWaits;
                             Replace(crew, "trainer-1");
                             crew.RunAll();
                             EXPECT_TRUE(crew.AllAre(wire::FENCED));
                             crew.storage = Storage::kWorks;
                           },
                           true},
                    // Between freeze and manifest: the frozen copies are dropped, no more.
                    Change{"ACutUnderWay",
                           [](Saved& crew) {
                             crew["ps-1"].will.write = false;
                             crew.Pass(Seconds(30));
                             EXPECT_EQ(crew.core->progress().cut, 2U);
                             crew["ps-1"].will.write = true;
                           },
                           false}),
    [](const auto& test) { return test.param.name; });

TEST(CoreAttempts, RollBackToAManifestThatNobodyHasHeardOf) {
  Saved crew;
  crew.storage = Storage::kWaits;
  crew.Pass(Seconds(30));
  crew.Write(crew.WaitingRecord());  // durable, and the master ends before it can say so
  crew.storage = Storage::kWorks;
  crew.RestartMaster();
  crew.RunAll();
  EXPECT_TRUE(crew.Noted("rollback to save point 3: a new attempt"));
  EXPECT_EQ(crew["ps-0"].restored_cut(), 2U);
  EXPECT_EQ(crew.trained(), 25U);
}

TEST(CoreAttempts, GiveUpWaitingForWhoIsSilent) {
  Saved crew;
  crew["executor-1"].will.report = false;
  crew.RestartMaster();
  crew.Pass(Seconds(9));
  EXPECT_EQ(crew.mode(), "Asking");
  crew.Pass(Seconds(2));
  ASSERT_FALSE(crew.lost.empty());
  EXPECT_EQ(crew.lost.back(), "job/executor-1/1.1");
  crew.Kill("executor-1");  // node does as it was told
  crew.RunAll();
  EXPECT_EQ(crew.mode(), "Running");
  EXPECT_FALSE(crew.RolledBack());
}

TEST(CoreAttempts, NeverUseANumberOfACutAgain) {
  Saved crew;
  crew["ps-0"].will.write = false;
  crew.Pass(Seconds(30));
  EXPECT_EQ(crew.core->progress().cut, 2U) << "begun, and never saved";
  crew.RestartMaster();
  crew["ps-0"].will.write = true;
  crew.RunAll();
  crew.Pass(Seconds(30));
  EXPECT_EQ(crew.core->history().manifest()->cut(), 3U);
}

TEST(CoreAttempts, CountCutsOnFromTheRecordsWhenNobodyIsLeftToAsk) {
  Saved crew;
  crew.StopMaster();
  for (const char* name : kAll) Replace(crew, name);
  crew.RestartMaster();
  crew.RunAll();
  crew.Pass(Seconds(30));
  EXPECT_EQ(crew.core->history().manifest()->cut(), 2U);
}

TEST(CoreAttempts, EndWhenTheRecordsAreOfALaterOne) {
  Saved crew;
  wire::Record begin;
  begin.set_number(3);
  begin.mutable_begin()->set_attempt(3);
  begin.mutable_begin()->set_from_record(2);
  crew.Write(begin);
  crew.RestartMaster();
  crew.RunAll();
  ASSERT_TRUE(crew.outcome);
  EXPECT_EQ(crew.outcome->ending, Ending::kSuperseded);
  EXPECT_EQ(crew.records.size(), 3U);
}

TEST(CoreAttempts, EndWhenAReplicaHasHeardALaterOne) {
  Saved crew;
  wire::ReplicaStatus status = crew["ps-0"].StatusNow();
  status.mutable_stamp()->set_attempt(2);
  EXPECT_EQ(crew.Deliver(status).code(), StatusCode::kAborted);
  ASSERT_TRUE(crew.outcome);
  EXPECT_EQ(crew.outcome->ending, Ending::kSuperseded);
}

TEST(CoreAttempts, EndWhenTheSavePointIsNotThere) {
  Saved crew;
  crew.RestartMaster();
  crew.RunAll();
  crew.records.erase(2);  // `begin` 3 returns to it
  crew.RestartMaster();
  crew.RunAll();
  ASSERT_TRUE(crew.outcome);
  EXPECT_EQ(crew.outcome->ending, Ending::kFailed);
  EXPECT_EQ(crew.outcome->error.code(), StatusCode::kDataLoss);
}

// The master before slept, with the manifest of cut 2 under its hand, while all replicas died. It
// wakes just before its successor puts `begin`.
TEST(CoreAttempts, GoOnBehindAManifestThatCameInBetween) {
  Saved crew;
  crew.Kill("executor-1");
  crew.RunAll();
  crew.Launch("executor-1");
  crew.RunAll();
  crew.storage = Storage::kWaits;
  crew.Pass(Seconds(30));
  const wire::Record late = crew.WaitingRecord();
  ASSERT_EQ(late.manifest().cut(), 2U);
  const uint64_t view = late.manifest().view();
  ASSERT_GT(view, crew.RecordOf(2).manifest().view() + 1);
  crew.StopMaster();
  for (const char* name : kAll) crew.Kill(name);
  crew.RestartMaster();
  crew.RunAll();
  EXPECT_EQ(crew.WaitingRecord().begin().from_record(), 2U);
  crew.Write(late);
  crew.AnswerPut(PutResult::kTaken);
  EXPECT_EQ(crew.WaitingRecord().number(), 4U);
  EXPECT_EQ(crew.WaitingRecord().begin().from_record(), 3U);
  EXPECT_GT(crew.WaitingRecord().begin().view(), view) << "a view never goes back";
  crew.storage = Storage::kWorks;
  crew.AnswerPut(PutResult::kPut);
  for (const char* name : kAll) crew.Launch(name);
  crew.RunAll();
  EXPECT_TRUE(crew.AllAre(wire::RUN));
  EXPECT_EQ(crew["ps-0"].restored_cut(), 2U);
  crew.Work();
  crew.Pass(Seconds(30));
  EXPECT_EQ(crew.core->history().manifest()->cut(), 3U) << "a cut's number is not used twice";
}

TEST(CoreAttempts, ThatFindTheLastPhaseSavedEndTheJob) {
  Saved crew;
  crew["trainer-1"].Train(crew.half, 5, 10);
  crew.WorkAll();
  ASSERT_TRUE(crew.outcome);
  crew.RestartMaster();
  crew.RunAll();
  ASSERT_TRUE(crew.outcome);
  EXPECT_EQ(crew.outcome->ending, Ending::kCompleted);
  EXPECT_EQ(crew.trained(), 40U);
}

}  // namespace
}  // namespace primus::master
