// How a save point is taken: hold, freeze, write, and the manifest last. docs/protocol.md,
// section 4.
#include <gtest/gtest.h>

#include "primus/master/test_crew.h"

#include "proto/wire/control.pb.h"
#include "proto/wire/record.pb.h"

namespace primus::master {
namespace {

using Storage = TestCrew::Storage;

// A job that has trained 10 rows and is about to take its first save point, cut 1.
struct Running : TestCrew {
  Running() {
    RunAll();
    Work();
  }
  // The time of the next cut comes.
  void PassToCut() { Pass(Seconds(30)); }
  bool InStage(int stage) {
    return AllAre(wire::RUN) && (*this)["ps-0"].cut_stage() == stage &&
           (*this)["trainer-0"].cut_stage() == stage;
  }
  const wire::Manifest* saved() const { return core->history().manifest(); }
};

TEST(CoreCuts, ComeAfterTheInterval) {
  Running crew;
  crew.Pass(Seconds(29));
  EXPECT_EQ(crew.core->progress().cut, 0U);
  crew.Pass(Seconds(1));
  EXPECT_EQ(crew.core->history().manifest()->cut(), 1U);
  EXPECT_EQ(crew.saved()->cut(), 1U);
  EXPECT_EQ(crew.saved()->reason(), "Interval");
  EXPECT_FALSE(crew.saved()->keep());
  crew.Pass(Seconds(30));
  EXPECT_EQ(crew.saved()->cut(), 2U);
}

TEST(CoreCuts, FreezeOnlyWhenAllTrainersHold) {
  Running crew;
  crew["trainer-1"].will.hold = false;
  crew.PassToCut();
  EXPECT_TRUE(crew.InStage(wire::HOLD));
  EXPECT_EQ(crew["ps-0"].stamp().cut, 1U);
  // What it still finishes belongs to the cut.
  crew["ps-0"].will.freeze = false;
  crew["trainer-1"].Train(*crew.Lease("executor-1"), 0, 10);
  crew["trainer-1"].will.hold = true;
  crew.RunAll();
  EXPECT_TRUE(crew.InStage(wire::FREEZE));
  crew["ps-0"].will.freeze = true;
  crew.RunAll();
  ASSERT_NE(crew.saved(), nullptr);
  EXPECT_EQ(crew.saved()->position().counts().kinds(0), 20U);
}

TEST(CoreCuts, TrainersGoOnWhileThePartsAreWritten) {
  Running crew;
  crew["ps-1"].will.write = false;
  crew.PassToCut();
  EXPECT_TRUE(crew.InStage(wire::NO_CUT));
  EXPECT_EQ(crew["trainer-0"].stamp().cut, 1U);
  EXPECT_TRUE(crew.Work());
  EXPECT_EQ(crew.trained(), 20U);
  EXPECT_EQ(crew.puts, 1) << "no manifest before the last part";
  crew["ps-1"].will.write = true;
  crew.RunAll();
  ASSERT_EQ(crew.puts, 2);
  EXPECT_EQ(crew.saved()->parts_size(), 2);
  EXPECT_EQ(crew.saved()->position().counts().kinds(0), 10U) << "the position of the cut";
  EXPECT_EQ(crew.saved()->metrics(), "10");
}

TEST(CoreCuts, AreSavedOnceTheManifestIsDurable) {
  Running crew;
  crew.storage = Storage::kWaits;
  crew.PassToCut();
  EXPECT_EQ(crew.WaitingRecord().number(), 2U);
  EXPECT_EQ(crew["trainer-0"].directive().saved_cut(), 0U);
  EXPECT_EQ(crew["trainer-0"].StatusNow().trainer().metrics(), "");
  crew.AnswerPut(PutResult::kPut);
  crew.RunAll();
  EXPECT_EQ(crew["trainer-0"].directive().saved_cut(), 1U);
  EXPECT_EQ(crew["ps-0"].directive().saved_cut(), 1U);
  EXPECT_EQ(crew["ps-0"].StatusNow().ps().frozen_cut(), 0U) << "it drops the copy";
}

TEST(CoreCuts, AddUpTheMetricsOfTheWholeHistory) {
  Running crew;
  crew.Work("executor-0", "trainer-1");
  crew.PassToCut();
  EXPECT_EQ(crew.core->metrics(), "20");
  crew.WorkAll();
  EXPECT_EQ(crew.core->metrics(), "40");
}

TEST(CoreCuts, ALossInBetweenDiscardsTheCutAndItsNumber) {
  for (const std::string lost : {"trainer-1", "ps-1"}) {
    Running crew;
    crew["ps-0"].will.write = false;
    crew.PassToCut();
    crew.Kill(lost);
    crew["ps-0"].will.write = true;
    crew.RunAll();
    EXPECT_EQ(crew.saved(), nullptr) << lost;
    crew.Launch(lost);
    crew.RunAll();
    crew.WorkAll();
    ASSERT_NE(crew.saved(), nullptr) << lost;
    EXPECT_EQ(crew.saved()->cut(), 2U) << lost;
  }
}

TEST(CoreCuts, ALostExecutorDoesNotDisturbThem) {
  Running crew;
  crew["trainer-1"].will.hold = false;
  crew.PassToCut();
  crew.Kill("executor-1");
  crew.RunAll();
  EXPECT_EQ(crew["trainer-0"].stamp(), (Stamp{1, 2, 1}));
  crew["trainer-1"].will.hold = true;
  crew.RunAll();
  EXPECT_EQ(crew.saved()->cut(), 1U);
}

TEST(CoreCuts, AreNotBegunBeforeAllHaveSettledInTheFlow) {
  TestCrew crew;
  crew["trainer-1"].will.settle = false;
  crew.RunAll();
  crew.core->OnStop(crew.now);
  crew.RunAll();
  EXPECT_EQ(crew.core->progress().cut, 0U);
  crew["trainer-1"].will.settle = true;
  crew.RunAll();
  EXPECT_EQ(crew.core->history().manifest()->cut(), 1U);
}

TEST(CoreCuts, APartThatCannotBeWrittenIsTriedAgainUnderANewNumber) {
  Running crew;
  crew["ps-1"].will.write_error = ResourceExhaustedError("disk full");
  crew.PassToCut();
  EXPECT_TRUE(crew.Noted("cut 1 is given up"));
  EXPECT_FALSE(crew.outcome);
  EXPECT_TRUE(crew.InStage(wire::NO_CUT)) << "training goes on";
  crew["ps-1"].will.write_error = OkStatus();
  crew.Pass(Seconds(1));
  EXPECT_EQ(crew.saved()->cut(), 2U);
}

TEST(CoreCuts, PartsThatCannotBeWrittenEndTheJobAfterTenTries) {
  Running crew;
  crew["ps-1"].will.write_error = ResourceExhaustedError("disk full");
  crew.PassToCut();
  crew.Pass(Seconds(40));
  EXPECT_FALSE(crew.outcome) << "the tries come ever later";
  crew.Pass(Seconds(40));
  ASSERT_TRUE(crew.outcome);
  EXPECT_EQ(crew.outcome->ending, Ending::kFailed);
  EXPECT_EQ(crew.outcome->error.code(), StatusCode::kResourceExhausted);
  EXPECT_EQ(crew.core->progress().cut, 10U);
  EXPECT_EQ(crew.puts, 1) << "never a manifest without its parts";
}

TEST(CoreCuts, AManifestThatCannotBePutIsTriedAgainUnderTheSameRecord) {
  Running crew;
  crew.storage = Storage::kFails;
  crew.PassToCut();
  EXPECT_EQ(crew.saved(), nullptr);
  EXPECT_TRUE(crew.Work()) << "training goes on";
  crew.storage = Storage::kWorks;
  crew.Pass(Seconds(1));
  EXPECT_EQ(crew.core->history().save_point(), 2U);
  EXPECT_EQ(crew.saved()->cut(), 2U);
  EXPECT_EQ(crew.saved()->position().counts().kinds(0), 20U);
}

TEST(CoreCuts, ManifestsThatCannotBePutEndTheJobAfterTenTries) {
  Running crew;
  crew.storage = Storage::kFails;
  crew.PassToCut();
  crew.Pass(Seconds(80));
  ASSERT_TRUE(crew.outcome);
  EXPECT_EQ(crew.outcome->ending, Ending::kFailed);
  EXPECT_EQ(crew.puts, 11) << "the begin record, and ten manifests";
}

TEST(CoreCuts, ARecordOfSomebodyElseUnderTheNumberEndsThisMaster) {
  Running crew;
  wire::Record begin;
  begin.set_number(2);
  begin.mutable_begin()->set_attempt(2);
  crew.Write(begin);
  crew.PassToCut();
  ASSERT_TRUE(crew.outcome);
  EXPECT_EQ(crew.outcome->ending, Ending::kSuperseded);
}

TEST(CoreCuts, OneThatFindsThePhaseCompleteEndsIt) {
  Running crew;
  crew["trainer-1"].will.hold = false;
  crew.PassToCut();
  crew.WorkAll();
  EXPECT_TRUE(crew.InStage(wire::HOLD));
  crew["trainer-1"].will.hold = true;
  crew.RunAll();
  EXPECT_EQ(crew.saved()->reason(), "Interval");
  EXPECT_TRUE(crew.saved()->keep());
  EXPECT_EQ(crew.outcome->ending, Ending::kCompleted);
}

TEST(CoreCuts, AStopWaitsForTheCutUnderWay) {
  Running crew;
  crew["ps-0"].will.write = false;
  crew.PassToCut();
  crew.core->OnStop(crew.now);
  crew.Work();
  crew["ps-0"].will.write = true;
  crew.RunAll();
  EXPECT_EQ(crew.saved()->cut(), 2U);
  EXPECT_EQ(crew.saved()->reason(), "Stop");
  EXPECT_EQ(crew.saved()->position().counts().kinds(0), 20U);
  EXPECT_EQ(crew.outcome->ending, Ending::kSuspended);
}

}  // namespace
}  // namespace primus::master
