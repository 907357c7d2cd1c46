// Events to effects: each step of a script is an event and the effects that must follow, in words.
#include "primus/executor/executor_core.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace primus::executor {
namespace {

std::string Describe(const AskLease& e) {
  return "ask " + std::to_string(e.request) + " for " + std::to_string(e.tasks_max);
}
std::string Describe(const OpenTask& e) {
  std::string text = "open " + std::to_string(e.plan.id);
  for (const batch::Interval& i : e.skip.intervals()) {
    text += " skip " + std::to_string(i.begin) + "-" + std::to_string(i.end);
  }
  return text;
}
std::string Describe(const ReadRows& /*e*/) { return "read"; }
std::string Describe(const CloseTask& /*e*/) { return "close task"; }
std::string Describe(const OpenRing& e) { return "connect " + ToString(e.trainer.replica); }
std::string Describe(const CloseRing& e) { return "close " + std::to_string(e.ring); }
std::string Describe(const SendBatch& e) {
  std::size_t rows = 0;
  for (const RowPiece& piece : e.batch.pieces) rows += piece.end - piece.begin;
  return "send " + std::to_string(rows) + " to " + std::to_string(e.ring);
}
std::string Describe(const FailJob& e) { return "fail " + e.error.ToString(); }
std::string Describe(const EndReplica& /*e*/) { return "end"; }

Trainer TrainerAt(uint32_t index, Incarnation incarnation) {
  return {.replica = {"trainer", index}, .incarnation = incarnation, .address = "there"};
}

LeasedTask Task(TaskId id, uint64_t rows, uint32_t phase = 0,
                batch::Purpose purpose = batch::Purpose::kTrain) {
  LeasedTask task;
  task.plan.id = id;
  task.plan.stream = "ratings";
  task.plan.window = "1997-09-20";
  task.plan.rows = rows;
  task.scope.phase = phase;
  task.scope.purpose = purpose;
  return task;
}

class ExecutorCoreTest : public ::testing::Test {
 protected:
  using Words = std::vector<std::string>;

  explicit ExecutorCoreTest(Turn turn = Turn::kByCredit)
      : core_({.batch = {.batch_rows = 4, .progressive_rows = 2},
               .turn = turn,
               .rows_buffered_max = 8}) {}

  Words On(Event event) {
    Words words;
    for (const Effect& effect : core_.On(std::move(event), now_)) {
      words.push_back(std::visit([](const auto& e) { return Describe(e); }, effect));
      if (const auto* open = std::get_if<OpenTask>(&effect)) read_ = open->read;
      if (const auto* ask = std::get_if<AskLease>(&effect)) request_ = ask->request;
    }
    return words;
  }
  Words Run(std::vector<Trainer> trainers, uint64_t flow_view = 1) {
    return On(DirectiveAdopted{Standing::kRunning, {1, flow_view, 0}, std::move(trainers)});
  }
  Words Grant(std::vector<LeasedTask> tasks) {
    return On(LeaseAnswered{request_, LeaseAnswer{LeaseAnswer::State::kGranted, std::move(tasks)}});
  }
  Words Answer(LeaseAnswer::State state) {
    return On(LeaseAnswered{request_, LeaseAnswer{state, {}}});
  }
  Words Rows(TaskId task, uint64_t begin, uint64_t end) {
    auto rows = std::make_shared<batch::EncodedRows>();
    rows->task = task;
    for (uint64_t i = begin; i < end; ++i) rows->positions.push_back(i);
    rows->labels.resize(rows->positions.size());
    return On(RowsCame{read_, rows});
  }
  Words Ended() { return On(TaskEnded{read_}); }
  // A running core with an open ring (1) to trainer-0 and a free slot.
  void Start() {
    Run({TrainerAt(0, 10)});
    On(RingOpened{1});
    On(SlotReserved{1});
  }

  ExecutorCore core_;
  Instant now_{Seconds(1)};
  ReadId read_ = 0;
  uint64_t request_ = 0;
};

TEST_F(ExecutorCoreTest, LeasesReadsCutsAndSends) {
  EXPECT_EQ(Run({TrainerAt(0, 10)}), (Words{"connect trainer-0", "ask 1 for 2"}));
  EXPECT_EQ(On(RingOpened{1}), Words{});
  EXPECT_EQ(On(SlotReserved{1}), Words{});
  EXPECT_EQ(Grant({Task(1, 6), Task(2, 2)}), (Words{"open 1", "ask 2 for 1"}));
  EXPECT_EQ(Rows(1, 0, 6), (Words{"send 4 to 1", "read"}));
  EXPECT_EQ(Ended(), (Words{"close task", "open 2"}));
  EXPECT_EQ(On(SlotReserved{1}), Words{}) << "two rows are no batch";
  EXPECT_EQ(Rows(2, 0, 2), (Words{"send 4 to 1", "read"}));
}

TEST_F(ExecutorCoreTest, DrainedSendsWhatIsLeftOnceAllIsRead) {
  Start();
  Grant({Task(1, 3)});
  EXPECT_EQ(Answer(LeaseAnswer::State::kDrained), Words{}) << "the task is still being read";
  Rows(1, 0, 3);
  EXPECT_EQ(Ended(), (Words{"close task", "send 3 to 1"}));
  now_ += Seconds(1);
  EXPECT_EQ(On(Woken{}), (Words{"ask 3 for 2"})) << "the next phase may come";
}

TEST_F(ExecutorCoreTest, WaitKeepsWhatIsLeft) {
  Start();
  Grant({Task(1, 3)});
  Rows(1, 0, 3);
  Answer(LeaseAnswer::State::kWait);
  EXPECT_EQ(Ended(), (Words{"close task"}));
}

TEST_F(ExecutorCoreTest, ASkippedTaskGoesOutWithoutRows) {
  Start();
  Grant({Task(1, 3)});
  auto rows = std::make_shared<batch::EncodedRows>();
  rows->task = 1;
  rows->skipped = {{1, batch::RowKind::kExcluded, 0, 3}};
  On(RowsCame{read_, rows});
  Ended();
  EXPECT_EQ(Answer(LeaseAnswer::State::kDrained), (Words{"send 0 to 1"}));
}

TEST_F(ExecutorCoreTest, ANewFlowDropsEverything) {
  Start();
  Grant({Task(1, 100)});
  Rows(1, 0, 3);
  const ReadId old_read = read_;
  const uint64_t old_request = request_;
  EXPECT_EQ(Run({TrainerAt(0, 20)}, 2),
            (Words{"close 1", "close task", "connect trainer-0", "ask 3 for 2"}));
  EXPECT_EQ(On(RowsCame{old_read, std::make_shared<batch::EncodedRows>()}), Words{});
  EXPECT_EQ(On(LeaseAnswered{old_request, LeaseAnswer{LeaseAnswer::State::kGranted, {Task(9, 1)}}}),
            Words{})
      << "an answer of the old flow is not taken";
  On(RingOpened{2});
  On(SlotReserved{2});
  Grant({Task(1, 100)});
  EXPECT_EQ(Rows(1, 0, 4), (Words{"send 4 to 2", "read"}));
}

TEST_F(ExecutorCoreTest, FencedKeepsNothingAndBeginsNothing) {
  Start();
  Grant({Task(1, 100)});
  EXPECT_EQ(On(DirectiveAdopted{}), (Words{"close 1", "close task"}));
  now_ += Seconds(10);
  EXPECT_EQ(On(Woken{}), Words{});
  EXPECT_FALSE(core_.next_wake().has_value());
}

TEST_F(ExecutorCoreTest, AttachedKeepsAllAndGoesOnWithNothing) {
  Start();
  Grant({Task(1, 100)});
  EXPECT_EQ(On(DirectiveAdopted{Standing::kAttached, {}, {}}), Words{});
  EXPECT_EQ(Rows(1, 0, 4), Words{}) << "neither sent nor read on";
  EXPECT_EQ(Run({TrainerAt(0, 10)}), (Words{"send 4 to 1", "read"})) << "the flow is the same";
}

TEST_F(ExecutorCoreTest, ATrainerThatLeavesLosesItsRingOnly) {
  Run({TrainerAt(0, 10), TrainerAt(1, 11)});
  for (uint64_t ring : {1, 2}) {
    On(RingOpened{ring});
    On(SlotReserved{ring});
  }
  EXPECT_EQ(Run({TrainerAt(1, 11)}), (Words{"close 1"}));
  Grant({Task(1, 100)});
  EXPECT_EQ(Rows(1, 0, 8), (Words{"send 4 to 2", "read"}));
}

TEST_F(ExecutorCoreTest, BatchesGoRoundToTrainersWithCredit) {
  Run({TrainerAt(0, 10), TrainerAt(1, 11), TrainerAt(2, 12)});
  for (uint64_t ring : {1, 2, 3}) On(RingOpened{ring});
  On(SlotReserved{1});
  On(SlotReserved{3});
  Grant({Task(1, 100)});
  EXPECT_EQ(Rows(1, 0, 8), (Words{"send 4 to 1", "send 4 to 3", "read"}));
  On(SlotReserved{1});
  On(SlotReserved{2});
  EXPECT_EQ(Rows(1, 8, 16), (Words{"send 4 to 1", "send 4 to 2", "read"}));
}

class SyncCoreTest : public ExecutorCoreTest {
 protected:
  SyncCoreTest() : ExecutorCoreTest(Turn::kFixed) {}
};

TEST_F(SyncCoreTest, BatchesGoRoundInAFixedOrder) {
  Run({TrainerAt(0, 10), TrainerAt(1, 11)});
  for (uint64_t ring : {1, 2}) On(RingOpened{ring});
  On(SlotReserved{2});
  Grant({Task(1, 100)});
  EXPECT_EQ(Rows(1, 0, 8), Words{}) << "it is the turn of trainer-0, and eight rows wait";
  EXPECT_EQ(On(SlotReserved{1}), (Words{"send 4 to 1", "send 4 to 2", "read"}));
}

TEST_F(ExecutorCoreTest, AProgressivePhaseHasOneTrainer) {
  Run({TrainerAt(0, 10), TrainerAt(1, 11)});
  for (uint64_t ring : {1, 2}) {
    On(RingOpened{ring});
    On(SlotReserved{ring});
  }
  Grant({Task(1, 100, 0, batch::Purpose::kProgressive)});
  EXPECT_EQ(Rows(1, 0, 4), (Words{"send 2 to 1", "read"}));
  EXPECT_EQ(On(SlotReserved{1}), (Words{"send 2 to 1"}));
}

TEST_F(ExecutorCoreTest, WithoutCreditReadingStopsAtItsBound) {
  Run({TrainerAt(0, 10)});
  Grant({Task(1, 100)});
  EXPECT_EQ(Rows(1, 0, 7), (Words{"read"}));
  EXPECT_EQ(Rows(1, 7, 14), Words{});
  On(RingOpened{1});
  EXPECT_EQ(On(SlotReserved{1}), (Words{"send 4 to 1"}));
  EXPECT_EQ(On(SlotReserved{1}), (Words{"send 4 to 1", "read"}));
}

TEST_F(ExecutorCoreTest, AFailedLeaseRequestIsAskedAgainUnderItsNumber) {
  EXPECT_EQ(Run({}), (Words{"ask 1 for 2"}));
  EXPECT_EQ(On(LeaseAnswered{1, UnavailableError("nobody")}), Words{});
  EXPECT_EQ(On(Woken{}), Words{}) << "not before the back-off";
  ASSERT_TRUE(core_.next_wake().has_value());
  now_ = *core_.next_wake();
  EXPECT_EQ(On(Woken{}), (Words{"ask 1 for 2"}));
  EXPECT_EQ(Grant({Task(1, 1), Task(2, 1)}), (Words{"open 1", "ask 2 for 1"}));
  EXPECT_EQ(On(LeaseAnswered{1, LeaseAnswer{LeaseAnswer::State::kGranted, {Task(3, 1)}}}), Words{})
      << "the same answer twice counts once";
}

TEST_F(ExecutorCoreTest, ADirectiveEndsTheWaitForTasks) {
  Start();
  Answer(LeaseAnswer::State::kWait);
  EXPECT_EQ(Run({TrainerAt(0, 10)}), (Words{"ask 2 for 2"}));
}

TEST_F(ExecutorCoreTest, ABadFileFailsTheJobWithItsPlace) {
  Start();
  Grant({Task(1, 100)});
  EXPECT_EQ(On(ReadFailed{read_, DataLossError("data/a.parquet: not a Parquet file")}),
            (Words{"close task",
                   "fail DataLoss: reading stream ratings, window 1997-09-20: "
                   "data/a.parquet: not a Parquet file"}));
  now_ += Seconds(60);
  EXPECT_EQ(On(Woken{}), Words{}) << "nothing goes on after that";
}

TEST_F(ExecutorCoreTest, ATransientErrorIsTriedAgainWithoutWhatHasCome) {
  Start();
  Grant({Task(1, 100)});
  Rows(1, 0, 4);
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(On(ReadFailed{read_, UnavailableError("data/a.parquet: timed out")}),
              (Words{"close task"}));
    ASSERT_TRUE(core_.next_wake().has_value());
    now_ += Seconds(10);
    EXPECT_EQ(On(Woken{}), (Words{"open 1 skip 0-4"}));
  }
  EXPECT_EQ(On(ReadFailed{read_, UnavailableError("a.parquet: timed out")}).back(),
            "fail Unavailable: reading stream ratings, window 1997-09-20: a.parquet: timed out");
}

TEST_F(ExecutorCoreTest, AStreamThatGivesTooLittleFailsTheJob) {
  Start();
  Grant({Task(1, 100)});
  Rows(1, 0, 4);
  EXPECT_EQ(Ended().back(),
            "fail DataLoss: reading stream ratings, window 1997-09-20: only 4 of 100 rows came");
}

TEST_F(ExecutorCoreTest, AStreamThatGivesAPositionTwiceFailsTheJob) {
  Start();
  Grant({Task(1, 100)});
  Rows(1, 0, 4);
  EXPECT_EQ(Rows(1, 3, 5).back(),
            "fail Internal: reading stream ratings, window 1997-09-20: "
            "a position came twice, or is not of the task");
}

TEST_F(ExecutorCoreTest, ATaskLeasedAgainIsReadWithoutWhatIsDone) {
  Start();
  LeasedTask task = Task(1, 10);
  task.done.Add(2, 9);
  EXPECT_EQ(Grant({task}), (Words{"open 1 skip 2-9", "ask 2 for 2"}));
  Rows(1, 0, 2);
  Rows(1, 9, 10);
  EXPECT_EQ(Ended(), (Words{"close task"}));
}

TEST_F(ExecutorCoreTest, ARingThatIsRefusedIsTriedAgain) {
  Run({TrainerAt(0, 10)});
  On(RingClosed{1, UnavailableError("gone")});
  EXPECT_EQ(On(Woken{}), Words{});
  now_ += Milliseconds(10);
  EXPECT_EQ(On(Woken{}), (Words{"connect trainer-0"}));
}

TEST_F(ExecutorCoreTest, AnotherBuildOrLayoutFailsTheJob) {
  Run({TrainerAt(0, 10)});
  EXPECT_EQ(On(RingClosed{1, InvalidArgumentError("the build of the writer is b1, here b2")}),
            (Words{"fail InvalidArgument: the build of the writer is b1, here b2"}));
}

TEST_F(ExecutorCoreTest, RowsLostWithARingEndTheReplicaUnlessTheFlowIsReset) {
  Start();
  Grant({Task(1, 100)});
  Rows(1, 0, 4);
  EXPECT_EQ(On(RingClosed{1, UnavailableError("gone")}), Words{});
  now_ += Seconds(5);
  EXPECT_EQ(On(Woken{}), Words{}) << "the master has time to find out";
  now_ += Seconds(20);
  EXPECT_EQ(On(Woken{}), (Words{"end"}));
}

TEST_F(ExecutorCoreTest, ABatchTooLargeForASlotFailsTheJob) {
  Start();
  EXPECT_EQ(On(BatchRefused{ResourceExhaustedError("too large")}),
            (Words{"fail ResourceExhausted: too large"}));
}

}  // namespace
}  // namespace primus::executor
