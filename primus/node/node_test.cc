#include "primus/node/node.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <optional>

#include "primus/api/conditions.h"
#include "primus/api/memory_object_store.h"
#include "primus/api/methods.h"
#include "primus/env/asio_loop.h"
#include "primus/env/system_random.h"
#include "primus/env/worker_pool.h"
#include "primus/rpc/client.h"
#include "primus/rpc/inproc_network.h"

#include "proto/config/job.pb.h"
#include "proto/wire/node.pb.h"

namespace primus::node {
namespace {

// Containers that run until the test ends them.
class TestRuntime final : public runtime::Runtime {
 public:
  Status Launch(const runtime::ContainerSpec& spec) override {
    if (!refusal.ok()) return refusal;
    containers_[spec.id] = {.id = spec.id};
    return OkStatus();
  }
  void Stop(const runtime::ContainerId& id, runtime::StopMode) override { Exit(id, 143); }
  std::vector<runtime::ContainerStatus> List() const override {
    std::vector<runtime::ContainerStatus> list;
    for (const auto& [id, status] : containers_) list.push_back(status);
    return list;
  }
  void Forget(const runtime::ContainerId& id) override { containers_.erase(id); }
  void OnChange(std::function<void()> observer) override { observer_ = std::move(observer); }

  void Exit(const runtime::ContainerId& id, int code) {
    const auto it = containers_.find(id);
    if (it == containers_.end()) return;
    it->second.state = runtime::ContainerState::kExited;
    it->second.exit_code = code;
    it->second.reason = "exited with code " + std::to_string(code);
  }
  void Notify() { observer_(); }

  Status refusal;

 private:
  std::map<runtime::ContainerId, runtime::ContainerStatus> containers_;
  std::function<void()> observer_;
};

class NodeTest : public testing::Test {
 protected:
  NodeTest() {
    std::string pattern = (std::filesystem::temp_directory_path() / "primus-node-XXXXXX").string();
    directory_ = ::mkdtemp(pattern.data());
    node_.emplace(JobRunWorld{loop_, store_, runtime_, log_}, network_,
                  NodeOptions{.binary = "/bin/primus",
                              .state_directory = directory_ + "/state",
                              .run_directory = directory_ + "/run",
                              .address = "inproc:node",
                              .on_job_over = [this](const std::string& job) { over_ += job; }});
  }
  ~NodeTest() override {
    node_.reset();
    std::filesystem::remove_all(directory_);
  }

  static config::Job Programs() {
    config::Job job;
    job.mutable_metadata()->set_name("j");
    config::Role* role = job.mutable_spec()->add_roles();
    role->set_name("w");
    role->set_replicas(1);
    role->mutable_program()->add_command("true");
    return job;
  }
  static config::Job Training() {
    config::Job job;
    job.mutable_metadata()->set_name("j");
    config::Role* role = job.mutable_spec()->add_roles();
    role->set_name("ps");
    role->set_replicas(1);
    role->mutable_ps();
    return job;
  }
  void Start(const config::Job& job) {
    wire::StoredJob stored;
    stored.set_job(job.SerializeAsString());
    stored.set_storage(directory_ + "/storage");
    stored.set_work_directory(directory_);
    ASSERT_TRUE(
        store_.Create({.kind = "Job", .name = "j", .spec = stored.SerializeAsString()}).ok());
    ASSERT_TRUE(node_->Listen().ok());
    const Status started = node_->StartJob("j");
    ASSERT_TRUE(started.ok()) << started.ToString();
  }
  wire::JobStatus Status_() {
    wire::JobStatus status;
    EXPECT_TRUE(status.ParseFromString(store_.Get("Job", "j")->status));
    return status;
  }
  // What a master does to the status of its job.
  void WriteStatus(const std::function<void(wire::JobStatus*)>& edit) {
    api::Object object = *store_.Get("Job", "j");
    wire::JobStatus status = Status_();
    edit(&status);
    object.status = status.SerializeAsString();
    ASSERT_TRUE(store_.UpdateStatus(object).ok());
  }
  void Exit(const runtime::ContainerId& id, int code) {
    runtime_.Exit(id, code);
    runtime_.Notify();
  }
  bool RunUntil(const std::function<bool()>& holds) { return loop_.RunUntil(holds, Seconds(20)); }
  bool Runs(const runtime::ContainerId& id) {
    for (const auto& status : runtime_.List()) {
      if (status.id == id) return status.state == runtime::ContainerState::kRunning;
    }
    return false;
  }
  template <class Request, class Response>
  Result<Response> Call(const rpc::Method<Request, Response>& method, const Request& request) {
    std::optional<Result<rpc::Answer<Response>>> answer;
    client_.Call(method, request, {}, {},
                 std::function<void(Result<rpc::Answer<Response>>)>(
                     [&](Result<rpc::Answer<Response>> got) { answer = std::move(got); }));
    EXPECT_TRUE(RunUntil([&] { return answer.has_value(); }));
    if (!answer->ok()) return answer->status();
    return (*answer)->message;
  }
  Result<wire::ObserveResponse> Observe(uint64_t version, uint64_t attempt) {
    wire::ObserveRequest request;
    request.set_job("j");
    request.set_version(version);
    request.set_attempt(attempt);
    return Call(api::kObserve, request);
  }
  using Lost = wire::LoseContainerRequest;
  Result<wire::LoseContainerResponse> Lose(const std::string& container, uint64_t attempt,
                                           Lost::Kind kind = Lost::FENCED) {
    wire::LoseContainerRequest request;
    request.set_job("j");
    request.set_attempt(attempt);
    request.set_container(container);
    request.set_reason("never registered");
    request.set_kind(kind);
    return Call(api::kLoseContainer, request);
  }

  std::string directory_;
  env::AsioLoop loop_;
  env::WorkerPool pool_{loop_, 1};
  env::SystemRandom random_;
  rpc::InprocNetwork network_{loop_};
  api::MemoryObjectStore store_;
  TestRuntime runtime_;
  telemetry::Logger log_{"test", loop_, [](telemetry::Level, std::string_view) {}};
  std::string over_;
  std::optional<Node> node_;
  rpc::Client client_{{loop_, pool_, random_}, network_, "inproc:node"};
};

TEST_F(NodeTest, JobOfProgramsCompletes) {
  Start(Programs());
  EXPECT_EQ(api::Phase(Status_()), "Running");
  EXPECT_TRUE(Runs("j/w-0/1.1"));
  Exit("j/w-0/1.1", 0);
  EXPECT_EQ(over_, "j");
  EXPECT_EQ(api::Phase(Status_()), "Completed");
  EXPECT_FALSE(api::IsTrue(Status_(), api::kRunning));
  EXPECT_EQ(Status_().roles(0).succeeded(), 1u);
  EXPECT_FALSE(node_->has_running_jobs());
}

TEST_F(NodeTest, FailureNamesTheReplicaAndItsLog) {
  config::Job job = Programs();
  job.mutable_spec()->mutable_roles(0)->mutable_restart()->set_when(config::Never);
  Start(job);
  Exit("j/w-0/1.1", 3);
  EXPECT_EQ(api::Phase(Status_()), "Failed");
  const std::string message = api::FindCondition(Status_(), api::kFailed)->message();
  EXPECT_NE(message.find("w-0 exited with code 3"), std::string::npos) << message;
  EXPECT_NE(message.find(directory_ + "/storage/logs/w-0.1.1.err"), std::string::npos) << message;
}

TEST_F(NodeTest, LaunchThatFailsUsesUpTheBudget) {
  config::Job job = Programs();
  job.mutable_spec()->mutable_roles(0)->mutable_restart()->set_limit(0);
  job.mutable_spec()->mutable_roles(0)->mutable_restart()->set_within("10m");
  runtime_.refusal = NotFoundError("no such program");
  Start(job);
  ASSERT_TRUE(RunUntil([&] { return over_ == "j"; }));
  const std::string message = api::FindCondition(Status_(), api::kFailed)->message();
  EXPECT_NE(message.find("no such program"), std::string::npos) << message;
}

TEST_F(NodeTest, MasterSeesItsContainersAndChangesOfThem) {
  Start(Training());
  const auto first = Observe(0, 1);
  ASSERT_TRUE(first.ok());
  ASSERT_EQ(first->containers_size(), 2);
  EXPECT_EQ(first->containers(1).id(), "j/ps-0/1.1");
  EXPECT_TRUE(first->containers(1).running());
  loop_.After(Milliseconds(5), [this] { Exit("j/ps-0/1.1", 137); });
  const auto second = Observe(first->version(), 1);
  ASSERT_TRUE(second.ok());
  EXPECT_GT(second->version(), first->version());
  EXPECT_FALSE(second->containers(1).running());
  EXPECT_EQ(second->containers(1).exit_code(), 137);
  ASSERT_TRUE(RunUntil([&] { return Runs("j/ps-0/1.2"); }));
}

TEST_F(NodeTest, FailedReplicaShowsAsRestartingUntilItRunsAgain) {
  Start(Training());
  Exit("j/ps-0/1.1", 137);
  EXPECT_EQ(api::Phase(Status_()), "Restarting");
  EXPECT_EQ(api::FindCondition(Status_(), api::kRestarting)->message(),
            "ps-0 exited with code 137");
  ASSERT_TRUE(RunUntil([&] { return Runs("j/ps-0/1.2"); }));
  EXPECT_EQ(api::Phase(Status_()), "Running");
}

TEST_F(NodeTest, SupersededMasterIsRefused) {
  Start(Training());
  WriteStatus([](wire::JobStatus* status) { status->set_attempt(2); });
  loop_.RunUntil([] { return false; }, Milliseconds(1));
  EXPECT_EQ(Observe(0, 1).status().code(), StatusCode::kPermissionDenied);
  EXPECT_EQ(Lose("j/ps-0/1.1", 1).status().code(), StatusCode::kPermissionDenied);
  EXPECT_TRUE(Runs("j/ps-0/1.1"));
  EXPECT_TRUE(Observe(0, 2).ok());
}

TEST_F(NodeTest, LostContainerIsReplacedOnceAlsoWhenToldTwice) {
  Start(Training());
  EXPECT_TRUE(Lose("j/ps-0/1.1", 1).ok());
  EXPECT_TRUE(Lose("j/ps-0/1.1", 1).ok());
  runtime_.Notify();
  EXPECT_TRUE(Runs("j/ps-0/1.2"));
  EXPECT_TRUE(Lose("j/ps-0/1.1", 1).ok());
  runtime_.Notify();
  EXPECT_TRUE(Runs("j/ps-0/1.2"));
}

TEST_F(NodeTest, ContainerThatFellSilentUsesUpTheBudgetAndAFencedOneDoesNot) {
  config::Job job = Training();
  job.mutable_spec()->mutable_roles(0)->mutable_restart()->set_limit(0);
  Start(job);
  EXPECT_TRUE(Lose("j/ps-0/1.1", 1, Lost::FENCED).ok());
  runtime_.Notify();
  EXPECT_TRUE(Runs("j/ps-0/1.2"));
  EXPECT_TRUE(Lose("j/ps-0/1.2", 1, Lost::SILENT).ok());
  runtime_.Notify();
  EXPECT_EQ(api::Phase(Status_()), "Failed");
  const std::string message = api::FindCondition(Status_(), api::kFailed)->message();
  EXPECT_NE(message.find("never registered"), std::string::npos) << message;
}

TEST_F(NodeTest, VerdictOfTheMasterEndsTheJobAndStandsAsItWrote) {
  Start(Training());
  WriteStatus([](wire::JobStatus* status) {
    api::SetCondition(status, {.type = api::kCompleted, .reason = "DataExhausted", .message = "m"},
                      WallTime(), 1);
    status->set_summary_json("{}");
  });
  ASSERT_TRUE(RunUntil([&] { return !Runs("j/ps-0/1.1"); }));
  Exit("j/master-0/1.1", 0);
  EXPECT_EQ(over_, "j");
  const wire::JobStatus status = Status_();
  EXPECT_EQ(api::FindCondition(status, api::kCompleted)->reason(), "DataExhausted");
  EXPECT_EQ(status.summary_json(), "{}");
}

TEST_F(NodeTest, StopInTheSpecReachesTheMaster) {
  Start(Training());
  const auto first = Observe(0, 1);
  EXPECT_FALSE(first->stop());
  api::Object object = *store_.Get("Job", "j");
  wire::StoredJob stored;
  ASSERT_TRUE(stored.ParseFromString(object.spec));
  stored.set_stop(true);
  object.spec = stored.SerializeAsString();
  ASSERT_TRUE(store_.UpdateSpec(object).ok());
  const auto second = Observe(first->version(), 1);
  ASSERT_TRUE(second.ok());
  EXPECT_TRUE(second->stop());
  EXPECT_TRUE(Runs("j/ps-0/1.1")) << "the save point needs it";
}

TEST_F(NodeTest, StopNowEndsAsSuspended) {
  Start(Training());
  node_->StopJobNow("j");
  runtime_.Notify();
  EXPECT_EQ(over_, "j");
  EXPECT_EQ(api::Phase(Status_()), "Suspended");
}

TEST_F(NodeTest, JobThatAnEarlierNodeLeftRunningIsSuspended) {
  ASSERT_TRUE(store_.Create({.kind = "Job", .name = "j"}).ok());
  WriteStatus([](wire::JobStatus* status) {
    api::SetCondition(status, {.type = api::kRunning}, WallTime(), 1);
  });
  ASSERT_TRUE(node_->Listen().ok());
  EXPECT_EQ(api::Phase(Status_()), "Suspended");
  EXPECT_NE(api::FindCondition(Status_(), api::kSuspended)->message().find("resume goes on"),
            std::string::npos);
}

TEST_F(NodeTest, ResumedRunHasNewContainersAndIsNotSuspended) {
  Start(Training());
  node_->StopJobNow("j");
  runtime_.Notify();
  ASSERT_TRUE(node_->StartJob("j").ok());
  EXPECT_TRUE(Runs("j/ps-0/2.1"));
  EXPECT_EQ(api::Phase(Status_()), "Running");
  EXPECT_EQ(Status_().runs(), 2u);
}

}  // namespace
}  // namespace primus::node
