#include "primus/master/node_link.h"

#include <gtest/gtest.h>

#include "primus/api/memory_object_store.h"
#include "primus/api/methods.h"
#include "primus/api/wire_object.h"
#include "primus/rpc/server.h"
#include "primus/sim/network.h"
#include "primus/sim/world.h"
#include "primus/telemetry/logger.h"

#include "proto/wire/node.pb.h"

namespace primus::master {
namespace {

// The line to a node that the test plays: a store of objects, and containers.
class NodeLinkTest : public testing::Test {
 protected:
  NodeLinkTest() {
    PRIMUS_CHECK(store_.Create({.kind = "Job", .name = "j"}).ok(), "the job is there");
    ServeObjects();
    ServeContainers();
    PRIMUS_CHECK(server_.Listen("sim:node").ok(), "node listens");
    link_.emplace(env_, *network_, log_, "j", "sim:node");
  }

  void ServeObjects() {
    server_.Handle(api::kGetObject, [this](const wire::GetObjectRequest& request, std::string,
                                           const rpc::Reply<wire::GetObjectResponse>& reply) {
      if (gets_failing_ > 0 && gets_failing_-- > 0) return reply(UnavailableError("node starts"));
      wire::GetObjectResponse response;
      *response.mutable_object() = api::ToWire(*store_.Get(request.kind(), request.name()));
      reply(response);
      if (between_) std::exchange(between_, nullptr)();
    });
    server_.Handle(api::kUpdateObject, [this](const wire::UpdateObjectRequest& request, std::string,
                                              const rpc::Reply<wire::UpdateObjectResponse>& reply) {
      EXPECT_TRUE(request.status_only());
      const auto updated = store_.UpdateStatus(api::FromWire(request.object()));
      if (!updated.ok()) return reply(updated.status());
      reply(wire::UpdateObjectResponse());
    });
  }
  void ServeContainers() {
    server_.Handle(api::kObserve, [this](const wire::ObserveRequest& request, std::string,
                                         const rpc::Reply<wire::ObserveResponse>& reply) {
      observed_.push_back(request.version());
      EXPECT_EQ(request.job(), "j");
      if (!observe_refusal_.ok()) return reply(observe_refusal_);
      if (request.version() != containers_.version()) return reply(containers_);
      waiting_ = reply;
    });
    server_.Handle(api::kLoseContainer,
                   [this](const wire::LoseContainerRequest& request, std::string,
                          const rpc::Reply<wire::LoseContainerResponse>& reply) {
                     lost_.push_back(request.container() + ": " + request.reason());
                     EXPECT_EQ(request.attempt(), 1U);
                     reply(wire::LoseContainerResponse());
                   });
  }

  // The containers are others now.
  void Change() {
    containers_.set_version(containers_.version() + 1);
    if (waiting_) (*std::exchange(waiting_, std::nullopt))(containers_);
  }

  wire::JobStatus StatusNow() {
    wire::JobStatus status;
    EXPECT_TRUE(status.ParseFromString(store_.Get("Job", "j")->status));
    return status;
  }
  // Somebody else writes the status.
  void Write(const std::function<void(wire::JobStatus*)>& change) {
    api::Object object = *store_.Get("Job", "j");
    wire::JobStatus status = StatusNow();
    change(&status);
    object.status = status.SerializeAsString();
    ASSERT_TRUE(store_.UpdateStatus(object).ok());
  }
  bool Await(const std::function<bool()>& done) { return world_.RunUntil(done, Seconds(60)); }
  uint64_t TakeAttempt() {
    uint64_t taken = 0;
    link_->TakeAttempt([&taken](uint64_t attempt) { taken = attempt; });
    EXPECT_TRUE(Await([&taken] { return taken != 0; }));
    return taken;
  }
  void Observe() {
    link_->Observe({.on_containers =
                        [this](const std::vector<RunningContainer>& containers) {
                          seen_.clear();
                          for (const RunningContainer& container : containers) {
                            seen_.push_back(ToString(container.replica) + " " + container.id +
                                            (container.running ? " runs" : " " + container.reason));
                          }
                        },
                    .on_stop = [this] { ++stops_; },
                    .on_superseded = [this](const Status& status) { superseded_ = status; }});
  }

  sim::World world_{1};
  sim::Faults faults_;
  sim::Net net_{world_, faults_};
  sim::ProcessId node_process_ = world_.Spawn("node");
  sim::ProcessId master_process_ = world_.Spawn("master");
  std::unique_ptr<rpc::Network> node_network_ = net_.NetworkOf(node_process_);
  std::unique_ptr<rpc::Network> network_ = net_.NetworkOf(master_process_);
  env::Environment env_ = world_.EnvironmentOf(master_process_);
  telemetry::Logger log_{"test", env_.loop, [](telemetry::Level, std::string_view) {}};
  rpc::Server server_{*node_network_};
  api::MemoryObjectStore store_;

  int gets_failing_ = 0;
  std::function<void()> between_;  // runs once, between a read of the object and its write
  wire::ObserveResponse containers_;
  std::optional<rpc::Reply<wire::ObserveResponse>> waiting_;  // for the next change
  Status observe_refusal_;
  std::vector<uint64_t> observed_;  // versions that were asked for
  std::vector<std::string> lost_;

  std::vector<std::string> seen_;
  int stops_ = 0;
  std::optional<Status> superseded_;
  std::optional<NodeLink> link_;
};

TEST_F(NodeLinkTest, TakesTheAttemptAfterTheLastOne) {
  EXPECT_EQ(TakeAttempt(), 1U);
  EXPECT_EQ(StatusNow().attempt(), 1U);
  EXPECT_EQ(TakeAttempt(), 2U);
}

TEST_F(NodeLinkTest, TakesTheNextAttemptWhenAnotherWasFaster) {
  between_ = [this] { Write([](wire::JobStatus* status) { status->set_attempt(5); }); };
  EXPECT_EQ(TakeAttempt(), 6U);
  EXPECT_EQ(StatusNow().attempt(), 6U);
}

TEST_F(NodeLinkTest, TriesUntilNodeIsThere) {
  gets_failing_ = 3;
  EXPECT_EQ(TakeAttempt(), 1U);
}

TEST_F(NodeLinkTest, AppliesTheChangeAgainOnConflict) {
  TakeAttempt();
  between_ = [this] { Write([](wire::JobStatus* status) { status->set_runs(7); }); };
  int applied = 0;
  bool done = false;
  link_->UpdateStatus(
      [&applied](wire::JobStatus* status) {
        ++applied;
        status->set_summary_json("{}");
      },
      [&done] { done = true; });
  ASSERT_TRUE(Await([&done] { return done; }));
  EXPECT_EQ(applied, 2);
  EXPECT_EQ(StatusNow().summary_json(), "{}");
  EXPECT_EQ(StatusNow().runs(), 7U) << "what the other wrote is kept";
  EXPECT_EQ(StatusNow().attempt(), 1U);
}

TEST_F(NodeLinkTest, MakesChangesInTheirOrder) {
  TakeAttempt();
  between_ = [this] { Write([](wire::JobStatus* status) { status->set_runs(7); }); };
  std::string order;
  for (const char* letter : {"a", "b", "c"}) {
    link_->UpdateStatus(
        [letter](wire::JobStatus* status) {
          status->set_summary_json(status->summary_json() + letter);
        },
        [&order, letter] { order += letter; });
  }
  ASSERT_TRUE(Await([&order] { return order.size() == 3; }));
  EXPECT_EQ(order, "abc");
  EXPECT_EQ(StatusNow().summary_json(), "abc");
}

TEST_F(NodeLinkTest, WritesNothingOnceAnotherAttemptHasTheJob) {
  TakeAttempt();
  Observe();
  Write([](wire::JobStatus* status) { status->set_attempt(2); });
  bool done = false;
  link_->UpdateStatus([](wire::JobStatus* status) { status->set_summary_json("{}"); },
                      [&done] { done = true; });
  ASSERT_TRUE(Await([this] { return superseded_.has_value(); }));
  EXPECT_EQ(superseded_->code(), StatusCode::kAborted);
  world_.RunFor(Seconds(5));
  EXPECT_FALSE(done);
  EXPECT_EQ(StatusNow().summary_json(), "");
}

TEST_F(NodeLinkTest, ShowsContainersWheneverTheyChange) {
  TakeAttempt();
  containers_.set_version(1);
  wire::Container* container = containers_.add_containers();
  container->set_id("j/ps-1/1.1");
  container->mutable_replica()->set_role("ps");
  container->mutable_replica()->set_index(1);
  container->set_running(true);
  Observe();
  ASSERT_TRUE(Await([this] { return !seen_.empty(); }));
  EXPECT_EQ(seen_, std::vector<std::string>{"ps-1 j/ps-1/1.1 runs"});
  world_.RunFor(Seconds(1));
  EXPECT_EQ(observed_, (std::vector<uint64_t>{0, 1})) << "the second waits for a change";
  container->set_running(false);
  container->set_reason("killed");
  Change();
  ASSERT_TRUE(Await([this] { return seen_[0] == "ps-1 j/ps-1/1.1 killed"; }));
  EXPECT_EQ(stops_, 0);
  containers_.set_stop(true);
  Change();
  EXPECT_TRUE(Await([this] { return stops_ > 0; }));
}

TEST_F(NodeLinkTest, AsksAgainWhileNodeCannotBeReached) {
  TakeAttempt();
  containers_.set_version(1);
  containers_.add_containers()->set_id("j/ps-0/1.1");
  observe_refusal_ = UnavailableError("node starts");
  Observe();
  world_.RunFor(Seconds(3));
  EXPECT_TRUE(seen_.empty());
  EXPECT_FALSE(superseded_);
  observe_refusal_ = OkStatus();
  EXPECT_TRUE(Await([this] { return !seen_.empty(); }));
}

TEST_F(NodeLinkTest, EndsWhenNodeSaysThatTheJobIsAnothersOrGone) {
  for (const Status& refusal :
       {Status(StatusCode::kPermissionDenied, "attempt 2 has it"), NotFoundError("no such job")}) {
    link_.emplace(env_, *network_, log_, "j", "sim:node");
    superseded_.reset();
    observe_refusal_ = refusal;
    Observe();
    ASSERT_TRUE(Await([this] { return superseded_.has_value(); }));
    EXPECT_EQ(superseded_->code(), refusal.code());
    const std::size_t asked = observed_.size();
    world_.RunFor(Seconds(5));
    EXPECT_EQ(observed_.size(), asked) << "it does not ask any more";
  }
}

TEST_F(NodeLinkTest, ReportsALostContainerWithItsReason) {
  TakeAttempt();
  member::Loss loss{{}, member::LossKind::kSilent, "silent for 10 s"};
  loss.seat.container = "j/ps-0/1.1";
  link_->Lose(loss);
  ASSERT_TRUE(Await([this] { return !lost_.empty(); }));
  EXPECT_EQ(lost_, std::vector<std::string>{"j/ps-0/1.1: silent for 10 s"});
}

}  // namespace
}  // namespace primus::master
