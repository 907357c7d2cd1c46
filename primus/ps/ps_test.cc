#include "primus/ps/ps.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <optional>

#include "primus/member/methods.h"
#include "primus/ps/test_model.h"
#include "primus/rpc/client.h"
#include "primus/rpc/server.h"
#include "primus/sim/network.h"
#include "primus/sim/store.h"
#include "primus/sim/world.h"

#include "proto/wire/control.pb.h"
#include "proto/wire/parameters.pb.h"

namespace primus::ps {
namespace {

constexpr Incarnation kPs = 17;
constexpr Incarnation kTrainer = 40;
constexpr uint64_t kKey = 5;

template <class T>
std::string Bytes(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

// A ps in a simulated world; the test is its master and its trainer.
class PsTest : public testing::Test {
 protected:
  PsTest() : server_(*network_), ps_client_(environment(), *network_, "sim:ps") {
    server_.Handle(member::kReport, [this](const wire::ReportRequest& request, const std::string&,
                                           const rpc::Reply<wire::ReportResponse>& reply) {
      status_ = request.status();
      wire::ReportResponse response;
      *response.mutable_directive() = directive_;
      reply(response);
    });
    PRIMUS_CHECK(server_.Listen("sim:master").ok(), "the master listens");
    Direct(wire::FENCED, {1, 1, 0});
    StartPs();
  }

  env::Environment environment() { return world_.EnvironmentOf(master_process_); }

  void StartPs() {
    PsOptions options;
    options.job = "job";
    options.session = {.replica = {"ps", 0},
                       .kind = member::RoleKind::kPs,
                       .container = "job/ps-0/1",
                       .master = "sim:master",
                       .own = "sim:ps",
                       .own_handover = {}};
    options.plan = model_.plan();
    options.shards = {0, jobspec::kShards - 2};  // the last shard is somebody else's
    options.new_store = model_.Maker(options.shards);
    options.on_end = [this](const Status& status) { ended_ = status; };
    ps_ = std::make_unique<Ps>(world_.EnvironmentOf(ps_process_),
                               PsSeams{*ps_network_, blobs_, log_}, options);
    PRIMUS_CHECK(ps_->Start().ok(), "the ps starts");
  }

  // A newer directive, which the ps takes with its next report.
  void Direct(wire::Mode mode, const Stamp& stamp, wire::CutStage stage = wire::NO_CUT) {
    directive_.mutable_stamp()->set_attempt(stamp.attempt);
    directive_.mutable_stamp()->set_view(stamp.view);
    directive_.mutable_stamp()->set_cut(stamp.cut);
    directive_.set_sequence(directive_.sequence() + 1);
    directive_.set_incarnation(kPs);
    directive_.set_mode(mode);
    directive_.set_cut_stage(stage);
    directive_.set_heartbeat_milliseconds(50);
    directive_.clear_members();
    for (const Incarnation member : {kPs, kTrainer}) {
      directive_.add_members()->set_incarnation(member);
    }
    stamp_ = stamp;
  }
  bool Await(const std::function<bool()>& done) { return world_.RunUntil(done, Seconds(60)); }
  // The ps has taken the newest directive.
  void Settle() {
    ASSERT_TRUE(Await([this] { return status_.sequence() == directive_.sequence(); }));
  }
  // As a rollback to `parts` does it.
  void Restore(const Stamp& stamp) {
    Direct(wire::RESTORE, stamp);
    ASSERT_TRUE(Await([&] { return status_.ps().restored_view() == stamp.view; }));
    Direct(wire::RUN, stamp);
    Settle();
  }
  wire::Part Freeze(const Stamp& stamp) {
    Direct(wire::RUN, stamp, wire::FREEZE);
    EXPECT_TRUE(Await([&] { return status_.ps().frozen_cut() == stamp.cut; }));
    Direct(wire::RUN, stamp);
    EXPECT_TRUE(Await([this] { return status_.ps().parts_size() == 1; }));
    return status_.ps().parts(0);
  }

  wire::PushRequest Step(uint64_t step, uint64_t lowest) {
    wire::PushRequest request;
    SetStamp(request.mutable_stamp());
    request.set_trainer(kTrainer);
    request.set_step(step);
    request.set_lowest_unacknowledged(lowest);
    request.add_tables()->set_keys(1);
    request.set_dense_values(3);
    return request;
  }
  Status Push(const wire::PushRequest& request, uint64_t key = kKey,
              const std::vector<float>& gradients = {1, 10, 1, 2, 3}) {
    std::string payload = Bytes<uint64_t>({key}) + Bytes(gradients);
    return Call<wire::PushRequest, wire::PushResponse>(member::kPush, request, payload).status();
  }
  // The row of kKey and the dense values.
  Result<std::vector<float>> Pull() {
    wire::PullRequest request;
    SetStamp(request.mutable_stamp());
    request.set_trainer(kTrainer);
    request.add_tables()->set_keys(1);
    request.set_dense(true);
    const auto answer = Call<wire::PullRequest, wire::PullResponse>(member::kPull, request,
                                                                    Bytes<uint64_t>({kKey}));
    if (!answer.ok()) return answer.status();
    std::vector<float> values(answer->payload.size() / sizeof(float));
    std::memcpy(values.data(), answer->payload.data(), answer->payload.size());
    return values;
  }
  template <class Request, class Response>
  Result<rpc::Answer<Response>> Call(const rpc::Method<Request, Response>& method,
                                     const Request& request, std::string payload) {
    std::optional<Result<rpc::Answer<Response>>> result;
    ps_client_.Call<Request, Response>(
        method, request, std::move(payload), {},
        [&result](Result<rpc::Answer<Response>> answer) { result = std::move(answer); });
    PRIMUS_CHECK(Await([&] { return result.has_value(); }), "every call ends");
    return *result;
  }
  void SetStamp(wire::Stamp* stamp) const {
    stamp->set_attempt(stamp_.attempt);
    stamp->set_view(stamp_.view);
    stamp->set_cut(stamp_.cut);
  }

  const TestModel model_;
  sim::World world_{1};
  sim::Faults faults_;
  sim::Net net_{world_, faults_};
  sim::Blobs blobs_{world_, faults_};
  sim::ProcessId master_process_ = world_.Spawn("master");
  sim::ProcessId ps_process_ = world_.Spawn("ps-0");
  std::unique_ptr<rpc::Network> network_ = net_.NetworkOf(master_process_);
  std::unique_ptr<rpc::Network> ps_network_ = net_.NetworkOf(ps_process_);
  telemetry::Logger log_{"ps-0", world_.EnvironmentOf(ps_process_).loop,
                         [](telemetry::Level, std::string_view) {}};
  rpc::Server server_;
  rpc::Client ps_client_;
  wire::Directive directive_;
  wire::ReplicaStatus status_;
  Stamp stamp_;
  std::optional<Status> ended_;
  std::unique_ptr<Ps> ps_;
};

TEST_F(PsTest, NothingIsServedBeforeRunAndAModel) {
  Settle();
  EXPECT_EQ(Pull().status().code(), StatusCode::kUnavailable);
  EXPECT_EQ(Push(Step(1, 1)).code(), StatusCode::kUnavailable);
  Direct(wire::RUN, {1, 1, 0});
  Settle();
  EXPECT_EQ(Pull().status().code(), StatusCode::kUnavailable);
  Restore({1, 2, 0});
  EXPECT_EQ(*Pull(), (std::vector<float>{0, 0, 0, 0, 0}));
}

TEST_F(PsTest, APushThatComesTwiceIsAppliedOnceAcrossFreezeAndView) {
  Restore({1, 1, 0});
  EXPECT_TRUE(Push(Step(1, 1)).ok());
  EXPECT_TRUE(Push(Step(1, 1)).ok());
  const std::vector<float> once = {-1, -10, -1, -2, -3};
  EXPECT_EQ(*Pull(), once);
  Freeze({1, 1, 1});
  EXPECT_TRUE(Push(Step(1, 1)).ok());
  EXPECT_EQ(*Pull(), once);
  Direct(wire::RUN, {1, 2, 1});
  Settle();
  EXPECT_TRUE(Push(Step(1, 1)).ok());
  Direct(wire::ATTACH, {2, 2, 1});
  Settle();
  EXPECT_EQ(Push(Step(1, 1)).code(), StatusCode::kUnavailable);
  Direct(wire::RUN, {2, 3, 1});
  Settle();
  EXPECT_TRUE(Push(Step(1, 1)).ok());
  EXPECT_EQ(*Pull(), once);
  EXPECT_TRUE(Push(Step(2, 2)).ok());
  EXPECT_TRUE(Push(Step(1, 1)).ok());  // far behind
  EXPECT_EQ(*Pull(), (std::vector<float>{-2, -20, -2, -4, -6}));
}

TEST_F(PsTest, StaleFutureAndForeignMessagesAreRefused) {
  Restore({1, 4, 2});
  wire::PushRequest push = Step(1, 1);
  push.mutable_stamp()->set_view(3);
  EXPECT_EQ(Push(push).code(), StatusCode::kFailedPrecondition);
  push.mutable_stamp()->set_view(5);
  EXPECT_EQ(Push(push).code(), StatusCode::kUnavailable);
  push = Step(1, 1);
  push.mutable_stamp()->set_cut(1);
  EXPECT_EQ(Push(push).code(), StatusCode::kFailedPrecondition);
  push = Step(1, 1);
  push.set_trainer(999);
  EXPECT_EQ(Push(push).code(), StatusCode::kPermissionDenied);
  EXPECT_EQ(*Pull(), (std::vector<float>{0, 0, 0, 0, 0}));
}

TEST_F(PsTest, PushesOfAnOlderCutAreRefusedOnceFrozen) {
  Restore({1, 1, 0});
  Direct(wire::RUN, {1, 1, 1}, wire::HOLD);
  Settle();
  wire::PushRequest begun = Step(1, 1);
  begun.mutable_stamp()->set_cut(0);
  EXPECT_TRUE(Push(begun).ok());  // trainers finish what they have begun
  Freeze({1, 1, 1});
  wire::PushRequest late = Step(2, 1);
  late.mutable_stamp()->set_cut(0);
  EXPECT_EQ(Push(late).code(), StatusCode::kFailedPrecondition);
  EXPECT_EQ(*Pull(), (std::vector<float>{-1, -10, -1, -2, -3}));
}

TEST_F(PsTest, BadPushesAreRefusedAndMayBeSentAgainRight) {
  Restore({1, 1, 0});
  const Status shard = Push(Step(1, 1), ~uint64_t{0});
  EXPECT_EQ(shard.code(), StatusCode::kInvalidArgument);
  EXPECT_NE(shard.message().find("shard 255"), std::string::npos) << shard.message();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Status finite = Push(Step(1, 1), kKey, {1, nan, 0, 0, 0});
  EXPECT_EQ(finite.code(), StatusCode::kInvalidArgument);
  EXPECT_NE(finite.message().find("key 5"), std::string::npos) << finite.message();
  EXPECT_EQ(Push(Step(1, 1), kKey, {1, 2}).code(), StatusCode::kInvalidArgument);
  EXPECT_TRUE(Push(Step(1, 1)).ok());
  EXPECT_EQ(*Pull(), (std::vector<float>{-1, -10, -1, -2, -3}));
}

TEST_F(PsTest, ARollbackReturnsToTheCutAndForgetsTheStepsAfterIt) {
  Restore({1, 1, 0});
  EXPECT_TRUE(Push(Step(1, 1)).ok());
  const wire::Part part = Freeze({1, 1, 1});
  EXPECT_EQ(part.name(), "parts/a1.v1.c1/s0-254.i17");
  EXPECT_TRUE(Push(Step(2, 2)).ok());
  Direct(wire::FENCED, {1, 2, 1});
  *directive_.add_restore() = part;
  Settle();
  Restore({1, 2, 1});
  const std::vector<float> then = {-1, -10, -1, -2, -3};
  EXPECT_EQ(*Pull(), then);
  EXPECT_TRUE(Push(Step(2, 2)).ok());  // the same step, trained again
  EXPECT_EQ(*Pull(), (std::vector<float>{-2, -20, -2, -4, -6}));
}

TEST_F(PsTest, ARestoreThatIsSupersededDoesNotCount) {
  Restore({1, 1, 0});
  EXPECT_TRUE(Push(Step(1, 1)).ok());
  *directive_.add_restore() = Freeze({1, 1, 1});
  Direct(wire::RESTORE, {1, 2, 1});
  ASSERT_TRUE(Await([this] { return status_.sequence() == directive_.sequence(); }));
  directive_.clear_restore();  // the next one is of a fresh model
  Restore({1, 3, 1});
  EXPECT_EQ(*Pull(), (std::vector<float>{0, 0, 0, 0, 0}));
}

TEST_F(PsTest, AFullDiskIsReportedAndTheNextCutSucceeds) {
  Restore({1, 1, 0});
  EXPECT_TRUE(Push(Step(1, 1)).ok());
  faults_.disk_full = 1;
  Direct(wire::RUN, {1, 1, 1}, wire::FREEZE);
  ASSERT_TRUE(Await([this] { return status_.ps().write_error_code() != 0; }));
  EXPECT_EQ(status_.ps().write_error_code(), static_cast<uint32_t>(StatusCode::kResourceExhausted));
  EXPECT_EQ(status_.ps().parts_size(), 0);
  faults_.disk_full = 0;
  world_.RunFor(Seconds(10));
  const wire::Part part = Freeze({1, 1, 2});
  EXPECT_EQ(status_.ps().write_error_code(), 0U);
  EXPECT_EQ(blobs_.blobs().at(part.name()).size(), part.size());
}

TEST_F(PsTest, AnUnknownOutcomeOfAPartIsReadBack) {
  Restore({1, 1, 0});
  faults_.put_unknown = 1;
  const wire::Part part = Freeze({1, 1, 1});
  EXPECT_EQ(blobs_.blobs().at(part.name()).size(), part.size());
}

TEST_F(PsTest, ADamagedSavePointFailsTheReplicaInsteadOfServing) {
  Restore({1, 1, 0});
  wire::Part part = Freeze({1, 1, 1});
  part.set_crc32c(part.crc32c() + 1);
  *directive_.add_restore() = part;
  Direct(wire::RESTORE, {1, 2, 1});
  ASSERT_TRUE(Await([this] { return status_.error_code() != 0; }));
  EXPECT_EQ(status_.error_code(), static_cast<uint32_t>(StatusCode::kDataLoss));
  EXPECT_NE(status_.error().find(part.name()), std::string::npos) << status_.error();
  EXPECT_EQ(status_.ps().restored_view(), 0U);
}

TEST_F(PsTest, ReportsEntriesAndEndsWhenToldTo) {
  Restore({1, 1, 0});
  EXPECT_TRUE(Push(Step(1, 1)).ok());
  ASSERT_TRUE(Await([this] {
    return status_.ps().entries().count("row") == 1 && status_.ps().entries().at("row") == 1;
  }));
  EXPECT_GT(status_.ps().bytes(), 0U);
  Direct(wire::LEAVE, {1, 1, 0});
  ASSERT_TRUE(Await([this] { return ended_.has_value(); }));
  EXPECT_TRUE(ended_->ok());
}

}  // namespace
}  // namespace primus::ps
