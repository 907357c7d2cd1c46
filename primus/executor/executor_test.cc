// The executor's shell in a simulated world: a master and trainers of the test around it.
#include "primus/executor/executor.h"

#include <gtest/gtest.h>

#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "primus/batch/minibatch.h"
#include "primus/member/methods.h"
#include "primus/rpc/client.h"
#include "primus/rpc/server.h"
#include "primus/sim/faults.h"
#include "primus/sim/handover.h"
#include "primus/sim/network.h"
#include "primus/sim/world.h"

#include "proto/wire/control.pb.h"

namespace primus::executor {
namespace {

constexpr Incarnation kExecutor = 100;
constexpr uint32_t kBatchRows = 4;

batch::Layout OneKey() { return {{{"row", batch::FeatureKind::kKeys}}}; }

// Yields the rows of a task three at a time; key = task * 1000 + position.
class CountedStreams final : public data::RowStreams {
 public:
  Result<std::unique_ptr<data::RowStream>> Open(const data::TaskPlan& task,
                                                const data::PhaseScope& /*scope*/,
                                                const batch::IntervalSet& skip) override;
  uint64_t rows_given = 0;
  std::deque<Status> errors;  // of the next calls, OK for none
};

class CountedStream final : public data::RowStream {
 public:
  CountedStream(CountedStreams& owner, TaskId task, batch::IntervalSet left)
      : owner_(owner), task_(task) {
    for (const batch::Interval& interval : left.intervals()) {
      for (uint64_t p = interval.begin; p < interval.end; ++p) positions_.push_back(p);
    }
  }
  Result<std::optional<batch::EncodedRows>> Next() override {
    if (!owner_.errors.empty()) {
      Status error = owner_.errors.front();
      owner_.errors.pop_front();
      if (!error.ok()) return error;
    }
    if (positions_.empty()) return std::optional<batch::EncodedRows>();
    batch::EncodedRows rows;
    rows.task = task_;
    rows.keys.resize(1);
    rows.keys[0].offsets = {0};
    for (int i = 0; i < 3 && !positions_.empty(); ++i) {
      rows.positions.push_back(positions_.front());
      rows.labels.push_back(1);
      rows.keys[0].keys.push_back(task_ * 1000 + positions_.front());
      rows.keys[0].offsets.push_back(static_cast<uint32_t>(rows.keys[0].keys.size()));
      positions_.pop_front();
    }
    owner_.rows_given += rows.rows();
    return std::optional<batch::EncodedRows>(std::move(rows));
  }

 private:
  CountedStreams& owner_;
  const TaskId task_;
  std::deque<uint64_t> positions_;
};

Result<std::unique_ptr<data::RowStream>> CountedStreams::Open(const data::TaskPlan& task,
                                                              const data::PhaseScope& /*scope*/,
                                                              const batch::IntervalSet& skip) {
  return std::unique_ptr<data::RowStream>(
      std::make_unique<CountedStream>(*this, task.id, skip.Missing(0, task.rows)));
}

// A trainer that takes (or not) and remembers.
class TestTrainer {
 public:
  TestTrainer(handover::Handover& handover, uint32_t index, Incarnation incarnation)
      : index_(index), incarnation_(incarnation) {
    auto acceptor = handover.Listen(
        address(), [](const handover::Hello&) { return OkStatus(); },
        [this](std::unique_ptr<handover::Reader> reader) {
          reader_ = std::move(reader);
          reader_->Observe([this] { Take(); }, [this] { closed_ = true; });
          Take();
        });
    EXPECT_TRUE(acceptor.ok());
    acceptor_ = std::move(*acceptor);
  }

  void Take() {
    while (taking && reader_) {
      const std::optional<handover::Slot> slot = reader_->TryTake();
      if (!slot) return;
      auto view = batch::MiniBatchView::Open(OneKey(), slot->bytes);
      ASSERT_TRUE(view.ok()) << view.status().ToString();
      sizes.push_back(view->rows());
      for (uint64_t key : view->keys(0)) keys.insert(key);
      for (const batch::Span& span : view->spans()) covered[span.task].Add(span.begin, span.end);
      reader_->Release(*slot);
    }
  }
  std::string address() const { return "sim:trainer-" + std::to_string(incarnation_); }
  bool connected() const { return reader_ != nullptr; }
  bool closed() const { return closed_; }
  const handover::Hello& hello() const { return reader_->hello(); }
  void AddTo(wire::Directive& directive) const {
    wire::Member& member = *directive.add_members();
    member.mutable_replica()->set_role("trainer");
    member.mutable_replica()->set_index(index_);
    member.set_kind(wire::TRAINER);
    member.set_incarnation(incarnation_);
    member.set_handover_address(address());
  }

  bool taking = true;
  std::vector<std::size_t> sizes;
  std::multiset<uint64_t> keys;
  std::map<TaskId, batch::IntervalSet> covered;

 private:
  const uint32_t index_;
  const Incarnation incarnation_;
  bool closed_ = false;
  std::unique_ptr<handover::Acceptor> acceptor_;
  std::unique_ptr<handover::Reader> reader_;
};

class ExecutorTest : public ::testing::Test {
 protected:
  void SetUp() override {
    master_server_.Handle(member::kReport, [this](const wire::ReportRequest& request, std::string,
                                                  const rpc::Reply<wire::ReportResponse>& reply) {
      status_ = request.status();
      wire::ReportResponse response;
      *response.mutable_directive() = directive_;
      reply(response);
    });
    master_server_.Handle(member::kLease, [this](const wire::LeaseRequest& request, std::string,
                                                 const rpc::Reply<wire::LeaseResponse>& reply) {
      if (request.stamp().view() < directive_.flow().view()) {
        return reply(FailedPreconditionError("stale stamp"));
      }
      reply(Lease(request));
    });
    ASSERT_TRUE(master_server_.Listen("sim:master").ok());
    directive_.set_incarnation(kExecutor);
    directive_.set_lease_seconds(10);
    directive_.set_heartbeat_milliseconds(50);
    Executor::Options options;
    options.session = {.replica = {"executor", 0},
                       .kind = member::RoleKind::kExecutor,
                       .container = "c/1",
                       .master = "sim:master",
                       .own = "sim:executor",
                       .own_handover = {}};
    options.core.batch = {.batch_rows = kBatchRows, .progressive_rows = 2};
    options.core.rows_buffered_max = 2 * kBatchRows;
    options.layout = OneKey();
    options.ring = {.slots = 2, .slot_bytes_max = 4096};
    auto executor = Executor::Create({.environment = world_.EnvironmentOf(executor_process_),
                                      .network = *executor_network_,
                                      .handover = *executor_handover_,
                                      .streams = streams_,
                                      .log = log_},
                                     options, [this](const Status& status) { ended_ = status; });
    ASSERT_TRUE(executor.ok());
    executor_ = std::move(*executor);
  }

  // The answer to a request number stays what it was.
  wire::LeaseResponse Lease(const wire::LeaseRequest& request) {
    const auto known = answers_.find(request.request());
    if (known != answers_.end()) return known->second;
    wire::LeaseResponse response;
    while (!tasks_.empty() && response.tasks_size() < static_cast<int>(request.tasks_max())) {
      wire::LeasedTask& task = *response.add_tasks();
      task.mutable_task()->set_id(tasks_.front().first);
      task.mutable_task()->set_rows(tasks_.front().second);
      task.mutable_task()->set_stream("ratings");
      task.mutable_task()->set_window("1997-09-20");
      tasks_.pop_front();
    }
    response.set_state(response.tasks_size() > 0 ? wire::GRANTED
                       : drained_                ? wire::DRAINED
                                                 : wire::WAIT);
    return answers_[request.request()] = response;
  }

  // A newer directive; the executor hears of it by its next report.
  void Direct(wire::Mode mode, uint64_t view, uint64_t flow, std::vector<TestTrainer*> trainers) {
    directive_.set_sequence(directive_.sequence() + 1);
    directive_.set_mode(mode);
    directive_.mutable_stamp()->set_attempt(1);
    directive_.mutable_stamp()->set_view(view);
    directive_.mutable_flow()->set_attempt(1);
    directive_.mutable_flow()->set_view(flow);
    directive_.clear_members();
    wire::Member& self = *directive_.add_members();
    self.set_kind(wire::EXECUTOR);
    self.set_incarnation(kExecutor);
    for (const TestTrainer* trainer : trainers) trainer->AddTo(directive_);
  }

  std::unique_ptr<TestTrainer> NewTrainer(uint32_t index, Incarnation incarnation) {
    handovers_.push_back(channels_.HandoverOf(world_.Spawn("trainer")));
    return std::make_unique<TestTrainer>(*handovers_.back(), index, incarnation);
  }
  bool RunUntil(const std::function<bool()>& holds) { return world_.RunUntil(holds, Seconds(120)); }

  sim::World world_{7};
  sim::Faults faults_;
  sim::Net net_{world_, faults_};
  sim::Channels channels_{world_};
  const sim::ProcessId master_process_ = world_.Spawn("master");
  const sim::ProcessId executor_process_ = world_.Spawn("executor");
  const std::unique_ptr<rpc::Network> master_network_ = net_.NetworkOf(master_process_);
  const std::unique_ptr<rpc::Network> executor_network_ = net_.NetworkOf(executor_process_);
  const std::unique_ptr<handover::Handover> executor_handover_ =
      channels_.HandoverOf(executor_process_);
  telemetry::Logger log_{"executor-0", world_.EnvironmentOf(executor_process_).loop,
                         [](telemetry::Level, std::string_view) {}};
  CountedStreams streams_;
  rpc::Server master_server_{*master_network_};
  wire::Directive directive_;
  wire::ReplicaStatus status_;
  std::deque<std::pair<TaskId, uint64_t>> tasks_;  // id, rows
  bool drained_ = true;
  std::map<uint64_t, wire::LeaseResponse> answers_;
  std::optional<Status> ended_;
  std::vector<std::unique_ptr<handover::Handover>> handovers_;
  std::unique_ptr<Executor> executor_;
};

// Every key of these tasks once.
std::multiset<uint64_t> KeysOf(const std::deque<std::pair<TaskId, uint64_t>>& tasks) {
  std::multiset<uint64_t> keys;
  for (const auto& [task, rows] : tasks) {
    for (uint64_t i = 0; i < rows; ++i) keys.insert(task * 1000 + i);
  }
  return keys;
}

TEST_F(ExecutorTest, SendsExactBatchesOverTaskBordersAndTheRestWhenDrained) {
  const auto trainer = NewTrainer(0, 1);
  tasks_ = {{1, 7}, {2, 10}, {3, 1}};
  const auto all = KeysOf(tasks_);
  Direct(wire::RUN, 1, 1, {trainer.get()});
  ASSERT_TRUE(RunUntil([&] { return trainer->keys.size() == 18; }));
  EXPECT_EQ(trainer->sizes, (std::vector<std::size_t>{4, 4, 4, 4, 2}));
  EXPECT_EQ(trainer->keys, all);
  EXPECT_EQ(trainer->covered[2], batch::IntervalSet::Of(0, 10));
  EXPECT_EQ(trainer->hello().writer, kExecutor);
  EXPECT_EQ(trainer->hello().reader, 1u);
  EXPECT_EQ(trainer->hello().flow, (Stamp{1, 1, 0}));
}

TEST_F(ExecutorTest, TheNextPhaseComesAfterTheDrain) {
  const auto trainer = NewTrainer(0, 1);
  tasks_ = {{1, 3}};
  Direct(wire::RUN, 1, 1, {trainer.get()});
  ASSERT_TRUE(RunUntil([&] { return trainer->keys.size() == 3; }));
  tasks_ = {{2, 4}};
  ASSERT_TRUE(RunUntil([&] { return trainer->keys.size() == 7; }));
  EXPECT_EQ(trainer->sizes, (std::vector<std::size_t>{3, 4}));
}

TEST_F(ExecutorTest, WaitingForAWindowIsNoDrain) {
  drained_ = false;
  const auto trainer = NewTrainer(0, 1);
  tasks_ = {{1, 6}};
  Direct(wire::RUN, 1, 1, {trainer.get()});
  ASSERT_TRUE(RunUntil([&] { return streams_.rows_given == 6; }));
  world_.RunFor(Seconds(2));
  EXPECT_EQ(trainer->sizes, (std::vector<std::size_t>{4}));
  tasks_ = {{2, 2}};
  ASSERT_TRUE(RunUntil([&] { return trainer->keys.size() == 8; }));
  EXPECT_EQ(trainer->sizes, (std::vector<std::size_t>{4, 4}));
}

TEST_F(ExecutorTest, ANewFlowBeginsAgainWithNewRings) {
  auto first = NewTrainer(0, 1);
  tasks_ = {{1, 100}, {2, 100}};
  Direct(wire::RUN, 1, 1, {first.get()});
  ASSERT_TRUE(RunUntil([&] { return first->keys.size() >= 20; }));
  const auto second = NewTrainer(0, 2);
  tasks_ = {{1, 100}, {2, 100}};
  const auto all = KeysOf(tasks_);
  Direct(wire::RUN, 2, 2, {second.get()});
  ASSERT_TRUE(RunUntil([&] { return second->keys.size() == 200; }));
  EXPECT_EQ(second->keys, all) << "nothing of the old flow, and all of the new one";
  EXPECT_EQ(second->hello().flow, (Stamp{1, 2, 0}));
  EXPECT_TRUE(first->closed());
}

TEST_F(ExecutorTest, ATrainerThatLeavesTheViewLosesItsRing) {
  const auto stays = NewTrainer(0, 1);
  const auto leaves = NewTrainer(1, 2);
  Direct(wire::RUN, 1, 1, {stays.get(), leaves.get()});
  tasks_ = {{1, 40}};
  ASSERT_TRUE(RunUntil([&] { return stays->keys.size() + leaves->keys.size() == 40; }));
  EXPECT_EQ(leaves->keys.size(), 20u) << "batches go round";
  Direct(wire::RUN, 2, 1, {stays.get()});
  ASSERT_TRUE(RunUntil([&] { return leaves->closed(); }));
  tasks_ = {{2, 8}};
  ASSERT_TRUE(RunUntil([&] { return stays->keys.size() == 28; }));
  EXPECT_FALSE(stays->closed());
}

TEST_F(ExecutorTest, WithoutCreditItReadsToItsBoundAndWaits) {
  const auto trainer = NewTrainer(0, 1);
  trainer->taking = false;
  tasks_ = {{1, 200}};
  Direct(wire::RUN, 1, 1, {trainer.get()});
  world_.RunFor(Seconds(5));
  // Two slots in the ring, two batches buffered, and the chunk that went over the bound.
  EXPECT_GE(streams_.rows_given, 16u);
  EXPECT_LE(streams_.rows_given, 16u + 3u);
  trainer->taking = true;
  trainer->Take();
  ASSERT_TRUE(RunUntil([&] { return trainer->keys.size() == 200; }));
  EXPECT_EQ(trainer->covered[1], batch::IntervalSet::Of(0, 200));
}

TEST_F(ExecutorTest, ABadFileFailsTheJobWithItsName) {
  const auto trainer = NewTrainer(0, 1);
  streams_.errors = {OkStatus(), DataLossError("data/a.parquet: not a Parquet file")};
  tasks_ = {{1, 30}};
  Direct(wire::RUN, 1, 1, {trainer.get()});
  ASSERT_TRUE(RunUntil([&] { return status_.error_code() != 0; }));
  EXPECT_EQ(status_.error_code(), static_cast<uint32_t>(StatusCode::kDataLoss));
  EXPECT_EQ(status_.error(),
            "reading stream ratings, window 1997-09-20: data/a.parquet: not a Parquet file");
}

TEST_F(ExecutorTest, ATransientErrorLosesAndRepeatsNoRow) {
  const auto trainer = NewTrainer(0, 1);
  streams_.errors = {OkStatus(), UnavailableError("a.parquet: timed out"), OkStatus(),
                     UnavailableError("a.parquet: timed out")};
  tasks_ = {{1, 30}};
  const auto all = KeysOf(tasks_);
  Direct(wire::RUN, 1, 1, {trainer.get()});
  ASSERT_TRUE(RunUntil([&] { return trainer->keys.size() == 30; }));
  EXPECT_EQ(trainer->keys, all);
  EXPECT_EQ(status_.error_code(), 0u);
}

TEST_F(ExecutorTest, LostAndRepeatedMessagesLoseAndRepeatNoTask) {
  faults_.drop = 0.2;
  faults_.duplicate = 0.2;
  const auto trainer = NewTrainer(0, 1);
  for (TaskId task = 1; task <= 30; ++task) tasks_.emplace_back(task, 5);
  const auto all = KeysOf(tasks_);
  Direct(wire::RUN, 1, 1, {trainer.get()});
  ASSERT_TRUE(RunUntil([&] { return trainer->keys.size() == 150; }));
  EXPECT_EQ(trainer->keys, all);
}

TEST_F(ExecutorTest, AfterSilenceOfTheMasterItLeasesNothing) {
  drained_ = false;
  const auto trainer = NewTrainer(0, 1);
  Direct(wire::RUN, 1, 1, {trainer.get()});
  ASSERT_TRUE(RunUntil([&] { return trainer->connected(); }));
  // Reports get lost and lease requests do not: only the lease time can stop it.
  directive_.set_lease_seconds(0);
  Direct(wire::RUN, 1, 1, {trainer.get()});
  world_.RunFor(Seconds(2));
  tasks_ = {{1, 40}};
  world_.RunFor(Seconds(5));
  EXPECT_EQ(streams_.rows_given, 0u);
}

TEST_F(ExecutorTest, LeavesWhenTheJobIsOver) {
  Direct(wire::LEAVE, 1, 1, {});
  ASSERT_TRUE(RunUntil([&] { return ended_.has_value(); }));
  EXPECT_TRUE(ended_->ok());
}

}  // namespace
}  // namespace primus::executor
