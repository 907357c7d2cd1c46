// The trainer's shell in a simulated world: master, executor and two ps are the test's.
#include "primus/trainer/trainer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "primus/batch/minibatch.h"
#include "primus/embedding/dense_layout.h"
#include "primus/member/methods.h"
#include "primus/rpc/server.h"
#include "primus/sim/faults.h"
#include "primus/sim/handover.h"
#include "primus/sim/network.h"
#include "primus/sim/store.h"
#include "primus/sim/world.h"
#include "primus/train/metrics.h"
#include "primus/train/plan_model.h"
#include "primus/train/test_batch.h"

#include "proto/wire/control.pb.h"
#include "proto/wire/parameters.pb.h"

namespace primus::trainer {
namespace {

constexpr Incarnation kTrainer = 100;
constexpr Incarnation kWriter = 200;
constexpr uint64_t kDenseValues = 3 * jobspec::kDenseBlock + 5;
// One key for each ps: the top bits choose.
constexpr uint64_t kLowKey = 5;
constexpr uint64_t kHighKey = (uint64_t{255} << 56) + 5;

jobspec::ModelPlan Plan() {
  jobspec::ModelPlan plan;
  plan.tables = {train::TestTable("row", 2, false)};
  plan.features.resize(2);
  plan.features[0].name = "row";
  plan.features[1].name = "price";
  plan.features[1].source = jobspec::FeatureSource::kDense;
  plan.dense = {{.name = "w", .size = kDenseValues, .uniform_limit = 0}};
  return plan;
}

// Sends back what it pulled as gradient, so that a test sees every value arrive.
class Echo final : public train::Step {
 public:
  train::BatchKeys Prepare(const batch::MiniBatchView& batch) override {
    return train::FindKeys(batch, Plan());
  }
  Result<train::StepResult> Run(const train::StepInput& input) override {
    if (std::isnan(input.batch.dense(0)[0])) return InvalidArgumentError("feature price holds NaN");
    train::StepResult result{.gradients = input.rows,
                             .dense_gradient = {input.dense.begin(), input.dense.end()},
                             .scores = {}};
    const auto labels = input.batch.labels();
    result.scores.info = input.batch.info();
    result.scores.labels.assign(labels.begin(), labels.end());
    return result;
  }
};

// A ps whose row of key k is {k, −k} as floats of the key's low byte, and whose dense value i is i.
class TestPs {
 public:
  TestPs(rpc::Network& network, uint32_t index) : server_(network), index_(index) {
    server_.Handle(member::kPull,
                   [this](const wire::PullRequest& request, const std::string& payload,
                          const rpc::Reply<wire::PullResponse>& reply) {
                     if (!refusal.ok()) return reply(refusal);
                     created = created || request.create();
                     wire::PullResponse response;
                     std::string values = Rows(payload);
                     response.set_dense_values(static_cast<uint32_t>(Dense().size()));
                     Append(Dense(), values);
                     reply(response, values);
                   });
    server_.Handle(member::kPush,
                   [this](const wire::PushRequest& request, const std::string& payload,
                          const rpc::Reply<wire::PushResponse>& reply) {
                     if (!refusal.ok()) return reply(refusal);
                     pushes.push_back(request);
                     payloads.push_back(payload);
                     reply(wire::PushResponse());
                   });
    EXPECT_TRUE(server_.Listen(address()).ok());
  }

  std::string address() const { return "sim:ps-" + std::to_string(index_); }
  std::vector<float> Dense() const {
    std::vector<float> values;
    for (const uint64_t block :
         embedding::DenseBlocksOf(kDenseValues, jobspec::ShardsOfPs(index_, 2))) {
      for (uint64_t i = 0; i < embedding::DenseBlockSize(kDenseValues, block); ++i) {
        values.push_back(static_cast<float>(block * jobspec::kDenseBlock + i));
      }
    }
    return values;
  }
  static void Append(const std::vector<float>& values, std::string& bytes) {
    bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
  }
  static std::string Rows(const std::string& keys) {
    std::string bytes;
    for (std::size_t at = 0; at < keys.size(); at += sizeof(uint64_t)) {
      const auto low = static_cast<float>(static_cast<uint8_t>(keys[at]));
      Append({low, -low}, bytes);
    }
    return bytes;
  }

  Status refusal;
  bool created = false;
  std::vector<wire::PushRequest> pushes;
  std::vector<std::string> payloads;

 private:
  rpc::Server server_;
  uint32_t index_;
};

class TrainerTest : public testing::Test {
 protected:
  TrainerTest() : master_(*network_) {
    master_.Handle(member::kReport, [this](const wire::ReportRequest& request, const std::string&,
                                           const rpc::Reply<wire::ReportResponse>& reply) {
      status_ = request.status();
      Remember(status_.trainer());
      wire::ReportResponse response;
      *response.mutable_directive() = directive_;
      reply(response);
    });
    EXPECT_TRUE(master_.Listen("sim:master").ok());
    for (uint32_t index = 0; index < 2; ++index) {
      ps_.push_back(std::make_unique<TestPs>(*network_, index));
    }
    Direct(wire::RUN, {1, 1, 0});
    TrainerOptions options;
    options.session = {.replica = {"trainer", 0},
                       .kind = member::RoleKind::kTrainer,
                       .container = "job/trainer-0/1",
                       .master = "sim:master",
                       .own = "sim:trainer",
                       .own_handover = "ring:trainer"};
    options.plan = Plan();
    options.build = "test";
    std::vector<std::unique_ptr<train::Step>> steps;
    for (int i = 0; i < 3; ++i) steps.push_back(std::make_unique<Echo>());
    trainer_ = Trainer::Create({.environment = world_.EnvironmentOf(process_),
                                .network = *trainer_network_,
                                .handover = *trainer_handover_,
                                .blobs = blobs_,
                                .log = log_},
                               std::move(options), std::move(steps),
                               [this](const Status& status) { ended_ = status; })
                   .value();
  }

  void Direct(wire::Mode mode, const Stamp& stamp, wire::CutStage stage = wire::NO_CUT) {
    directive_.mutable_stamp()->set_attempt(stamp.attempt);
    directive_.mutable_stamp()->set_view(stamp.view);
    directive_.mutable_stamp()->set_cut(stamp.cut);
    directive_.mutable_flow()->set_attempt(1);
    directive_.mutable_flow()->set_view(1);
    directive_.set_sequence(directive_.sequence() + 1);
    directive_.set_incarnation(kTrainer);
    directive_.set_mode(mode);
    directive_.set_cut_stage(stage);
    directive_.set_heartbeat_milliseconds(50);
    directive_.set_lease_seconds(10);
    directive_.clear_members();
    AddMember(wire::TRAINER, 0, kTrainer);
    AddMember(wire::EXECUTOR, 0, kWriter);
    for (uint32_t index = 0; index < 2; ++index) {
      AddMember(wire::PS, index, 300 + index)->set_rpc_address(ps_[index]->address());
    }
  }
  wire::Member* AddMember(wire::RoleKind kind, uint32_t index, Incarnation incarnation) {
    wire::Member* member = directive_.add_members();
    member->set_kind(kind);
    member->mutable_replica()->set_index(index);
    member->set_incarnation(incarnation);
    return member;
  }
  void Remember(const wire::TrainerStatus& status) {
    for (const wire::Increment& increment : status.increments()) {
      for (const wire::Spans& spans : increment.spans()) {
        trained_[increment.number()] = spans.bounds(1) - spans.bounds(0);
      }
    }
  }
  bool Await(const std::function<bool()>& done) { return world_.RunUntil(done, Seconds(60)); }

  void Connect(uint64_t schema) {
    const handover::Hello hello{.protocol = handover::Hello().protocol,
                                .build = "test",
                                .schema = schema,
                                .writer = kWriter,
                                .reader = kTrainer,
                                .flow = {1, 1, 0}};
    handover_->Connect("ring:trainer", hello, {},
                       [this](Result<std::unique_ptr<handover::Writer>> writer) {
                         if (writer.ok()) {
                           writer_ = *std::move(writer);
                         } else {
                           refused_ = writer.status();
                         }
                       });
    EXPECT_TRUE(Await([this] { return writer_ != nullptr || !refused_.ok(); }));
  }
  // A ring to a trainer that is in RUN.
  void Connect() {
    ASSERT_TRUE(Await([this] { return status_.trainer().settled_view() == 1; }));
    Connect(batch::Hash(layout_));
    ASSERT_NE(writer_, nullptr);
  }
  void Send(float price, const batch::MiniBatchInfo& info = {}) {
    batch::EncodedRows rows;
    rows.task = 9;
    rows.positions = {0, 1, 2};
    rows.labels = {1, 0, 1};
    rows.keys.push_back({.offsets = {0, 1, 2, 3}, .keys = {kLowKey, kHighKey, kLowKey}});
    rows.dense = {{price, price, price}};
    const batch::RowRange range{.rows = &rows, .begin = 0, .end = 3};
    const batch::Span span{.task = 9, .kind = batch::RowKind::kTrained, .begin = 0, .end = 3};
    const handover::Slot slot = writer_->TryReserve().value();
    const uint64_t used =
        batch::WriteMiniBatch(layout_, {.info = info, .ranges = {&range, 1}, .spans = {&span, 1}},
                              slot.bytes)
            .value();
    writer_->Publish(slot, used);
  }

  sim::World world_{1};
  sim::Faults faults_;
  sim::Net net_{world_, faults_};
  sim::Channels channels_{world_};
  sim::Blobs blobs_{world_, faults_};
  sim::ProcessId test_process_ = world_.Spawn("test");
  sim::ProcessId process_ = world_.Spawn("trainer");
  std::unique_ptr<rpc::Network> network_ = net_.NetworkOf(test_process_);
  std::unique_ptr<rpc::Network> trainer_network_ = net_.NetworkOf(process_);
  std::unique_ptr<handover::Handover> handover_ = channels_.HandoverOf(test_process_);
  std::unique_ptr<handover::Handover> trainer_handover_ = channels_.HandoverOf(process_);
  telemetry::Logger log_{"trainer-0", world_.EnvironmentOf(process_).loop,
                         [](telemetry::Level, std::string_view) {}};
  batch::Layout layout_ = train::LayoutOf(Plan());
  rpc::Server master_;
  std::vector<std::unique_ptr<TestPs>> ps_;
  wire::Directive directive_;
  wire::ReplicaStatus status_;
  std::map<uint64_t, uint64_t> trained_;  // rows by increment
  std::optional<Status> ended_;
  std::unique_ptr<Trainer> trainer_;
  std::unique_ptr<handover::Writer> writer_;
  Status refused_;
};

TEST_F(TrainerTest, EveryValueTravelsToItsPsAndBack) {
  Connect();
  Send(1);
  ASSERT_TRUE(Await([this] { return trained_.size() == 1; }));
  EXPECT_EQ(trained_.begin()->second, 3U);
  for (uint32_t index = 0; index < 2; ++index) {
    ASSERT_EQ(ps_[index]->pushes.size(), 1U);
    const wire::PushRequest& push = ps_[index]->pushes[0];
    EXPECT_EQ(push.trainer(), kTrainer);
    EXPECT_EQ(push.step(), 1U);
    EXPECT_EQ(push.lowest_unacknowledged(), 1U);
    EXPECT_EQ(push.stamp().view(), 1U);
    ASSERT_EQ(push.spans_size(), 1);
    EXPECT_EQ(push.spans(0).task(), 9U);
    ASSERT_EQ(push.tables_size(), 1);
    EXPECT_EQ(push.tables(0).keys(), 1U);
    EXPECT_EQ(push.dense_values(), ps_[index]->Dense().size());
    const uint64_t key = index == 0 ? kLowKey : kHighKey;
    std::string expected(reinterpret_cast<const char*>(&key), sizeof key);
    TestPs::Append({5, -5}, expected);
    TestPs::Append(ps_[index]->Dense(), expected);
    EXPECT_EQ(ps_[index]->payloads[0], expected);
    EXPECT_TRUE(ps_[index]->created);
  }
}

TEST_F(TrainerTest, TheSlotComesBackToTheWriter) {
  Connect();
  const uint32_t slots = handover::ChannelOptions().slots;
  for (uint32_t i = 0; i < 3 * slots; ++i) {
    ASSERT_TRUE(Await([this] {
      const auto slot = writer_->TryReserve();
      if (!slot) return false;
      writer_->Publish(*slot, batch::WriteMiniBatch(layout_, {}, slot->bytes).value());
      return true;
    }));
  }
}

TEST_F(TrainerTest, HoldoutCreatesAndPushesNothing) {
  Connect();
  Send(1, {.purpose = batch::Purpose::kHoldout, .phase = 2});
  ASSERT_TRUE(Await([this] { return trained_.size() == 1; }));
  for (const auto& ps : ps_) {
    EXPECT_FALSE(ps->created);
    EXPECT_TRUE(ps->pushes.empty());
  }
}

TEST_F(TrainerTest, ARefusedStepIsSentUnderTheNextStamp) {
  Connect();
  ps_[1]->refusal = FailedPreconditionError("stale");
  Send(1);
  world_.RunFor(Seconds(1));
  EXPECT_TRUE(trained_.empty());
  ps_[1]->refusal = OkStatus();
  Direct(wire::RUN, {1, 2, 0});
  ASSERT_TRUE(Await([this] { return trained_.size() == 1; }));
  EXPECT_EQ(ps_[1]->pushes[0].stamp().view(), 2U);
}

TEST_F(TrainerTest, ReportsMetricsWhenItHolds) {
  Connect();
  Send(1);
  ASSERT_TRUE(Await([this] { return trained_.size() == 1; }));
  Direct(wire::RUN, {1, 1, 4}, wire::HOLD);
  ASSERT_TRUE(Await([this] { return status_.trainer().held_cut() == 4; }));
  const auto metrics = train::MetricState::Parse(status_.trainer().metrics()).value();
  EXPECT_EQ(metrics.phases().at(0).rows, 3U);
}

TEST_F(TrainerTest, ABatchThatCannotBeTrainedOnIsKeptAndNamed) {
  Connect();
  Send(std::nanf(""));
  ASSERT_TRUE(Await([this] { return status_.error_code() != 0; }));
  EXPECT_EQ(status_.error_code(), static_cast<uint32_t>(StatusCode::kInvalidArgument));
  ASSERT_EQ(blobs_.blobs().size(), 1U);
  const auto& [name, bytes] = *blobs_.blobs().begin();
  EXPECT_EQ(status_.error(),
            "task 9 rows [0, 3): feature price holds NaN; the batch is kept as " + name);
  EXPECT_EQ(bytes.substr(0, 4), "PMB1");
  EXPECT_TRUE(ps_[0]->pushes.empty());
  EXPECT_TRUE(trained_.empty());
}

TEST_F(TrainerTest, RefusesAWriterOfAnotherLayout) {
  ASSERT_TRUE(Await([this] { return status_.trainer().settled_view() == 1; }));
  Connect(batch::Hash(layout_) + 1);
  EXPECT_EQ(writer_, nullptr);
  EXPECT_FALSE(refused_.ok());
}

TEST_F(TrainerTest, FencedClosesTheRing) {
  Connect();
  Direct(wire::FENCED, {1, 2, 0});
  EXPECT_TRUE(Await([this] { return writer_->closed(); }));
}

TEST_F(TrainerTest, LeavesWhenTold) {
  ASSERT_TRUE(Await([this] { return status_.trainer().settled_view() == 1; }));
  Direct(wire::LEAVE, {1, 1, 0});
  ASSERT_TRUE(Await([this] { return ended_.has_value(); }));
  EXPECT_TRUE(ended_->ok());
}

}  // namespace
}  // namespace primus::trainer
