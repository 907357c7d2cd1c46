#include "primus/member/session.h"

#include <gtest/gtest.h>

#include "primus/member/methods.h"
#include "primus/rpc/client.h"
#include "primus/sim/network.h"
#include "primus/telemetry/logger.h"

#include "proto/wire/control.pb.h"

namespace primus::member {
namespace {

// A master that answers with what the test sets, and a ps that talks to it.
class SessionTest : public testing::Test {
 protected:
  SessionTest() {
    master_server_.Handle(kReport, [this](const wire::ReportRequest& request, std::string,
                                          const rpc::Reply<wire::ReportResponse>& reply) {
      reports_.push_back(request.status());
      if (!refusal_.ok()) return reply(refusal_);
      wire::ReportResponse response;
      *response.mutable_directive() = wanted_;
      reply(response);
    });
    EXPECT_TRUE(master_server_.Listen("sim:master").ok());
    EXPECT_TRUE(replica_server_.Listen("sim:ps").ok());
    wanted_ = Directive(1, 1, wire::FENCED);
    session_.Start();
  }

  static wire::Directive Directive(uint64_t attempt, uint64_t sequence, wire::Mode mode) {
    wire::Directive directive;
    directive.mutable_stamp()->set_attempt(attempt);
    directive.mutable_stamp()->set_view(5);
    directive.mutable_stamp()->set_cut(2);
    directive.set_sequence(sequence);
    directive.set_incarnation(9);
    directive.set_mode(mode);
    directive.set_lease_seconds(10);
    directive.set_heartbeat_milliseconds(250);
    directive.add_members()->set_incarnation(42);
    return directive;
  }

  sim::World world_{1};
  sim::Faults faults_;
  sim::Net net_{world_, faults_};
  sim::ProcessId master_ = world_.Spawn("master");
  sim::ProcessId ps_ = world_.Spawn("ps");
  std::unique_ptr<rpc::Network> master_network_ = net_.NetworkOf(master_);
  std::unique_ptr<rpc::Network> ps_network_ = net_.NetworkOf(ps_);
  rpc::Server master_server_{*master_network_};
  rpc::Server replica_server_{*ps_network_};
  telemetry::Logger log_{"ps-0", world_.EnvironmentOf(ps_).loop,
                         [](telemetry::Level, std::string_view) {}};
  wire::Directive wanted_;
  Status refusal_;
  std::vector<wire::ReplicaStatus> reports_;
  int adopted_ = 0;
  std::optional<Status> ended_;
  Session session_{world_.EnvironmentOf(ps_),
                   *ps_network_,
                   replica_server_,
                   log_,
                   {.replica = {"ps", 0},
                    .kind = RoleKind::kPs,
                    .container = "j/ps-0/1",
                    .master = "sim:master",
                    .own = "sim:ps",
                    .own_handover = ""},
                   {.on_directive = [this] { ++adopted_; },
                    .fill_status = [](wire::ReplicaStatus*) {},
                    .on_end = [this](Status status) { ended_ = status; }}};
};

TEST_F(SessionTest, RegistersAndHoldsTheNewestDirective) {
  world_.RunFor(Seconds(1));
  EXPECT_EQ(session_.incarnation(), 9U);
  EXPECT_EQ(adopted_, 1);
  EXPECT_EQ(reports_.front().incarnation(), 0U);
  EXPECT_EQ(reports_.back().incarnation(), 9U);
  wanted_ = Directive(1, 3, wire::RUN);
  world_.RunFor(Seconds(1));
  EXPECT_EQ(session_.directive().mode(), wire::RUN);
  wanted_ = Directive(1, 2, wire::FENCED);  // late
  world_.RunFor(Seconds(1));
  EXPECT_EQ(session_.directive().mode(), wire::RUN);
  wanted_ = Directive(2, 1, wire::FENCED);  // of the next attempt
  world_.RunFor(Seconds(1));
  EXPECT_EQ(session_.directive().mode(), wire::FENCED);
}

TEST_F(SessionTest, SteeringTwiceIsSteeringOnce) {
  world_.RunFor(Seconds(1));
  const std::unique_ptr<rpc::Network> network = net_.NetworkOf(master_);
  rpc::Client client(world_.EnvironmentOf(master_), *network, "sim:ps");
  wire::SteerRequest request;
  *request.mutable_directive() = Directive(1, 8, wire::RUN);
  int answers = 0;
  for (int i = 0; i < 2; ++i) {
    client.Call<wire::SteerRequest, wire::SteerResponse>(
        kSteer, request, {}, {}, [&](const auto& answer) {
          ASSERT_TRUE(answer.ok());
          EXPECT_EQ(answer->message.status().sequence(), 8U);
          ++answers;
        });
  }
  world_.RunFor(Seconds(1));
  EXPECT_EQ(answers, 2);
  EXPECT_EQ(adopted_, 2);  // the registration's and this one
}

TEST_F(SessionTest, AdmitsExactlyTheViewInForce) {
  EXPECT_EQ(session_.Admit({1, 5, 2}, 42).code(), StatusCode::kUnavailable);
  wanted_ = Directive(1, 2, wire::RUN);
  world_.RunFor(Seconds(1));
  EXPECT_TRUE(session_.Admit({1, 5, 2}, 42).ok());
  EXPECT_TRUE(session_.Admit({1, 5, 3}, 42).ok());
  EXPECT_EQ(session_.Admit({1, 5, 1}, 42).code(), StatusCode::kFailedPrecondition);
  EXPECT_EQ(session_.Admit({1, 4, 2}, 42).code(), StatusCode::kFailedPrecondition);
  EXPECT_EQ(session_.Admit({1, 6, 2}, 42).code(), StatusCode::kUnavailable);
  EXPECT_EQ(session_.Admit({1, 5, 2}, 43).code(), StatusCode::kPermissionDenied);
}

// Until ps freeze, what trainers began before the hold still carries the cut before.
TEST_F(SessionTest, AHoldDoesNotRefuseTheCutBefore) {
  wanted_ = Directive(1, 2, wire::RUN);
  world_.RunFor(Seconds(1));
  wanted_ = Directive(1, 3, wire::RUN);
  wanted_.mutable_stamp()->set_cut(3);
  wanted_.set_cut_stage(wire::HOLD);
  world_.RunFor(Seconds(1));
  EXPECT_TRUE(session_.Admit({1, 5, 2}, 42).ok());
  wanted_.set_sequence(4);
  wanted_.set_cut_stage(wire::FREEZE);
  world_.RunFor(Seconds(1));
  EXPECT_EQ(session_.Admit({1, 5, 2}, 42).code(), StatusCode::kFailedPrecondition);
}

TEST_F(SessionTest, TellsANewMasterWhatItHeldBefore) {
  wanted_ = Directive(1, 2, wire::RUN);
  world_.RunFor(Seconds(1));
  wanted_ = Directive(2, 1, wire::ATTACH);
  wanted_.clear_members();
  world_.RunFor(Seconds(1));
  EXPECT_EQ(reports_.back().stamp().attempt(), 2U);
  EXPECT_EQ(reports_.back().mode(), wire::ATTACH);
  EXPECT_EQ(reports_.back().held_stamp().attempt(), 1U);
  EXPECT_EQ(reports_.back().held_mode(), wire::RUN);
  EXPECT_EQ(reports_.back().members_size(), 1);
}

TEST_F(SessionTest, WithoutAMasterNoNewWorkBegins) {
  world_.RunFor(Seconds(1));
  EXPECT_TRUE(session_.lease_valid());
  net_.Partition(master_, ps_, Seconds(30));
  world_.RunFor(Seconds(12));
  EXPECT_FALSE(session_.lease_valid());
  world_.RunFor(Seconds(30));
  EXPECT_TRUE(session_.lease_valid());
}

TEST_F(SessionTest, EndsWhenRefusedOrToldToLeave) {
  world_.RunFor(Seconds(1));
  refusal_ = Status(StatusCode::kPermissionDenied, "lost");
  world_.RunFor(Seconds(1));
  ASSERT_TRUE(ended_.has_value());
  EXPECT_EQ(ended_->code(), StatusCode::kPermissionDenied);
}

}  // namespace
}  // namespace primus::member
