// A lost trainer or ps rolls everybody back to the save point. docs/protocol.md, section 5.
#include <gtest/gtest.h>

#include "primus/master/test_crew.h"

#include "proto/wire/control.pb.h"
#include "proto/wire/record.pb.h"
#include "proto/wire/task.pb.h"

namespace primus::master {
namespace {

using Storage = TestCrew::Storage;

// Save point 2 (cut 1) has 10 rows, and 10 more are trained since. Record 3 is next.
struct Saved : TestCrew {
  Saved() {
    RunAll();
    Work();
    Pass(Seconds(30));
    Work();
    EXPECT_EQ(core->history().save_point(), 2U);
    EXPECT_EQ(trained(), 20U);
  }
};

TEST(CoreRollback, ALostPsTakesEverybodyBackToTheSavePoint) {
  Saved crew;
  const Stamp before = crew["trainer-0"].stamp();
  crew.Kill("ps-1");
  crew.RunAll();
  // All fenced at once, in the next view, behind a `begin` that returns to the save point.
  EXPECT_TRUE(crew.AllAre(wire::FENCED));
  EXPECT_EQ(crew["trainer-0"].stamp().view, before.view + 1);
  EXPECT_EQ(crew.RecordOf(3).begin().view(), before.view + 1);
  EXPECT_EQ(crew.RecordOf(3).begin().from_record(), 2U);
  EXPECT_FALSE(crew.Lease("executor-0"));
  // The other ps does not restore before the lost one is there again.
  crew["ps-0"].will.restore = false;
  crew.Launch("ps-1");
  crew.RunAll();
  EXPECT_EQ(crew["ps-0"].mode(), wire::RESTORE);
  EXPECT_EQ(crew["ps-0"].directive().restore_size(), 2);
  EXPECT_NE(crew["ps-0"].directive().restore(0).name().find(".c1/"), std::string::npos);
  EXPECT_EQ(crew["trainer-0"].mode(), wire::FENCED);
  crew["ps-0"].will.restore = true;
  crew.RunAll();
  EXPECT_TRUE(crew.AllAre(wire::RUN));
  EXPECT_EQ(crew["ps-0"].restored_cut(), 1U);
  EXPECT_EQ(crew["ps-1"].restored_cut(), 1U);
  EXPECT_EQ(crew["trainer-0"].directive().flow().view(), before.view + 1);
  // The ledger is back as well, and in the end each row counts once.
  EXPECT_EQ(crew.trained(), 10U);
  crew.WorkAll();
  EXPECT_EQ(crew.trained(), 40U);
  EXPECT_EQ(crew.outcome->ending, Ending::kCompleted);
}

TEST(CoreRollback, WithoutASavePointItStartsFresh) {
  TestCrew crew;
  crew.RunAll();
  crew.Work();
  crew.Kill("trainer-0");
  crew.Launch("trainer-0");
  crew.RunAll();
  EXPECT_EQ(crew.RecordOf(2).begin().from_record(), 0U);
  EXPECT_EQ(crew["ps-0"].restored_cut(), 0U);
  EXPECT_EQ(crew["ps-0"].stamp().view, 2U);
  EXPECT_EQ(crew.trained(), 0U);
  crew.WorkAll();
  EXPECT_EQ(crew.trained(), 40U);
}

TEST(CoreRollback, NothingIsRestoredBeforeTheBeginRecordIsDurable) {
  Saved crew;
  crew.storage = Storage::kWaits;
  crew.Kill("trainer-1");
  crew.Launch("trainer-1");
  crew.Pass(Seconds(3));
  EXPECT_TRUE(crew.AllAre(wire::FENCED));
  crew.AnswerPut(PutResult::kPut);
  crew.RunAll();
  EXPECT_TRUE(crew.AllAre(wire::RUN));
}

TEST(CoreRollback, LeasesOfBeforeAreGone) {
  Saved crew;
  wire::LeaseResponse before;
  ASSERT_TRUE(crew.AskLease("executor-1", 100, &before).ok());
  wire::LeaseRequest late;
  late.set_incarnation(crew["executor-1"].incarnation());
  *late.mutable_stamp() = crew["executor-1"].directive().stamp();
  late.set_request(101);
  late.set_tasks_max(1);
  crew.Kill("trainer-1");
  crew.Launch("trainer-1");
  crew.RunAll();
  wire::LeaseResponse response;
  EXPECT_EQ(crew.core->OnLease(late, crew.now, &response).code(), StatusCode::kFailedPrecondition)
      << "it was sent in another flow";
  for (const uint64_t request : {100, 102, 103}) {
    wire::LeaseResponse after;
    ASSERT_TRUE(crew.AskLease("executor-1", request, &after).ok());
    ASSERT_EQ(after.tasks_size(), 1);
    EXPECT_GT(after.tasks(0).generation(), before.tasks(0).generation());
  }
}

TEST(CoreRollback, AReportOfTheFlowBeforeCountsNothing) {
  Saved crew;
  crew["trainer-0"].Train(*crew.Lease("executor-0"), 0, 10);
  const wire::ReplicaStatus late = crew["trainer-0"].StatusNow();
  crew.Kill("ps-1");
  crew.Launch("ps-1");
  crew.RunAll();
  EXPECT_TRUE(crew.AllAre(wire::RUN));
  EXPECT_TRUE(crew.Deliver(late).ok());
  EXPECT_EQ(crew.trained(), 10U);
  crew.WorkAll();
  EXPECT_EQ(crew.trained(), 40U);
}

TEST(CoreRollback, ALossWhileRestoringBeginsAgain) {
  Saved crew;
  crew["ps-0"].will.restore = false;
  crew.Kill("ps-1");
  crew.Launch("ps-1");
  crew.RunAll();
  const uint64_t view = crew["ps-1"].stamp().view;
  EXPECT_EQ(crew["ps-1"].mode(), wire::RESTORE);
  crew.Kill("trainer-0");
  crew.Launch("trainer-0");
  crew["ps-0"].will.restore = true;
  crew.RunAll();
  EXPECT_TRUE(crew.AllAre(wire::RUN));
  EXPECT_EQ(crew["ps-1"].stamp().view, view + 1);
  EXPECT_EQ(crew.RecordOf(4).begin().view(), view + 1);
  EXPECT_EQ(crew.core->progress().rollbacks, 2U);
}

TEST(CoreRollback, ALossWhileGatheringOnlyTakesLonger) {
  Saved crew;
  crew.Kill("ps-1");
  crew.RunAll();
  crew.Kill("trainer-1");
  crew.Launch("ps-1");
  crew.RunAll();
  EXPECT_TRUE(crew.AllAre(wire::FENCED));
  crew.Launch("trainer-1");
  crew.RunAll();
  EXPECT_TRUE(crew.AllAre(wire::RUN));
  EXPECT_EQ(crew.core->progress().rollbacks, 1U);
}

// The manifest of cut 2 is being put when a ps is lost.
struct Committing : Saved {
  Committing() {
    storage = Storage::kWaits;
    Pass(Seconds(30));
    EXPECT_EQ(WaitingRecord().manifest().cut(), 2U);
    Kill("ps-1");
    Launch("ps-1");
    RunAll();
    EXPECT_EQ(puts, 3) << "`begin` waits for the put under way";
  }
};

TEST(CoreRollback, AManifestThatGetsThroughIsWhereItReturnsTo) {
  Committing crew;
  crew.storage = Storage::kWorks;
  crew.AnswerPut(PutResult::kPut);
  crew.RunAll();
  EXPECT_EQ(crew.RecordOf(4).begin().from_record(), 3U);
  EXPECT_EQ(crew["ps-1"].restored_cut(), 2U);
  EXPECT_EQ(crew.trained(), 20U);
}

TEST(CoreRollback, AManifestThatFailedIsCutOffByTheBeginRecord) {
  Committing crew;
  crew.storage = Storage::kWorks;
  crew.AnswerPut(PutResult::kFailed);
  crew.RunAll();
  EXPECT_EQ(crew.RecordOf(3).begin().from_record(), 2U);
  EXPECT_EQ(crew["ps-1"].restored_cut(), 1U);
  EXPECT_EQ(crew.trained(), 10U);
}

TEST(CoreRollback, AManifestFoundUnderTheNumberOfTheBeginRecordIsTheNewestSavePoint) {
  Committing crew;
  const wire::Record manifest = crew.WaitingRecord();
  crew.AnswerPut(PutResult::kFailed);
  crew.Write(manifest);  // it landed after it was looked for
  crew.storage = Storage::kWorks;
  crew.AnswerPut(PutResult::kTaken);
  crew.RunAll();
  EXPECT_TRUE(crew.AllAre(wire::RUN));
  EXPECT_EQ(crew.RecordOf(4).begin().from_record(), 3U);
  EXPECT_EQ(crew["ps-1"].restored_cut(), 2U);
  EXPECT_EQ(crew.trained(), 20U);
}

TEST(CoreRollback, AnythingElseUnderTheNumberEndsThisMaster) {
  wire::Record begin;
  begin.mutable_begin()->set_attempt(2);
  wire::Record another;
  another.mutable_begin()->set_attempt(1);
  another.mutable_begin()->set_view(77);
  wire::Record manifest;
  manifest.mutable_manifest()->set_attempt(2);
  for (wire::Record record : {begin, another, manifest}) {
    Saved crew;
    record.set_number(3);
    crew.Write(record);
    crew.Kill("ps-1");
    crew.RunAll();
    ASSERT_TRUE(crew.outcome);
    EXPECT_EQ(crew.outcome->ending, Ending::kSuperseded);
    EXPECT_EQ(crew.puts, 3) << "nothing is put after it";
  }
}

TEST(CoreRollback, ABeginRecordThatCannotBePutIsTriedAgain) {
  Saved crew;
  crew.storage = Storage::kFails;
  crew.Kill("ps-1");
  crew.Launch("ps-1");
  crew.RunAll();
  EXPECT_EQ(crew.puts, 3);
  crew.RunAll();
  EXPECT_EQ(crew.puts, 3) << "not at once";
  crew.Pass(Milliseconds(500));
  EXPECT_EQ(crew.puts, 4);
  crew.storage = Storage::kWorks;
  crew.Pass(Milliseconds(500));
  EXPECT_TRUE(crew.AllAre(wire::RUN));
}

TEST(CoreRollback, BeginRecordsThatCannotBePutEndTheJobAfterTenTries) {
  Saved crew;
  crew.storage = Storage::kFails;
  crew.Kill("ps-1");
  crew.Pass(Seconds(10));
  ASSERT_TRUE(crew.outcome);
  EXPECT_EQ(crew.outcome->ending, Ending::kFailed);
  EXPECT_EQ(crew.outcome->error.code(), StatusCode::kUnavailable);
  EXPECT_EQ(crew.puts, 12) << "begin and manifest, then ten tries";
}

TEST(CoreRollback, SaysHowLongItTookUntilItTrainsAgain) {
  Saved crew;
  crew.Kill("ps-1");
  crew.Pass(Seconds(2));
  crew.Launch("ps-1");
  crew.Pass(Seconds(1));
  EXPECT_TRUE(crew.AllAre(wire::RUN));
  EXPECT_FALSE(crew.Noted("trains again"));
  EXPECT_TRUE(crew.Work());
  EXPECT_TRUE(crew.Noted("trains again, 3000 ms after the rollback began"));
  crew.notes.clear();
  EXPECT_TRUE(crew.Work());
  EXPECT_FALSE(crew.Noted("trains again"));
}

TEST(CoreRollback, TheNextCutComesAfterHalfTheTimeThatWasLost) {
  Saved crew;
  crew.Pass(Seconds(12));
  crew.Kill("ps-1");
  crew.Launch("ps-1");
  crew.RunAll();
  crew.Pass(Milliseconds(5750));
  EXPECT_EQ(crew.core->history().manifest()->cut(), 1U);
  crew.Pass(Milliseconds(250));
  EXPECT_EQ(crew.core->history().manifest()->cut(), 2U);
}

TEST(CoreRollback, AStopIsNotForgotten) {
  Saved crew;
  crew["trainer-0"].will.hold = false;
  crew.core->OnStop(crew.now);
  crew.RunAll();
  crew.Kill("ps-1");
  crew.Launch("ps-1");
  crew["trainer-0"].will.hold = true;
  crew.RunAll();
  ASSERT_TRUE(crew.outcome);
  EXPECT_EQ(crew.outcome->ending, Ending::kSuspended);
}

TEST(CoreRollback, IntoTheNextPhaseWhenItsManifestGotThrough) {
  CoreOptions options = TestJob();
  options.phases = {{.scope = {}, .windows = {"mon"}}, {.scope = {}, .windows = {"tue"}}};
  TestCrew crew(options);
  crew.RunAll();
  crew.storage = Storage::kWaits;
  crew.WorkAll();
  crew.Kill("ps-1");
  crew.storage = Storage::kWorks;
  crew.AnswerPut(PutResult::kPut);
  crew.Launch("ps-1");
  crew.RunAll();
  EXPECT_TRUE(crew.AllAre(wire::RUN));
  EXPECT_EQ(crew.core->progress().phase, 1U);
  EXPECT_EQ(crew.trained(), 20U);
  crew.WorkAll();
  EXPECT_EQ(crew.trained(), 40U);
  EXPECT_EQ(crew.outcome->ending, Ending::kCompleted);
}

}  // namespace
}  // namespace primus::master
