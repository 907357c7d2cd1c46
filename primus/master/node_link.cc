#include "primus/master/node_link.h"

#include <deque>
#include <utility>

#include "primus/api/methods.h"
#include "primus/telemetry/logger.h"

#include "proto/wire/node.pb.h"

namespace primus::master {
namespace {

constexpr Duration kRetry = Milliseconds(200);
constexpr rpc::CallOptions kOnce{};

struct Change {
  std::function<void(wire::JobStatus*)> apply;
  std::function<void()> done;
};

}  // namespace

struct NodeLink::State {
  State(const env::Environment& environment, rpc::Network& network, const telemetry::Logger& logger,
        std::string job_name, const rpc::Address& node)
      : env(environment),
        log(logger),
        job(std::move(job_name)),
        client(environment, network, node),
        observe_retry(environment.loop),
        write_retry(environment.loop) {}

  void Get(std::function<void(const Result<wire::Object>&)> done);
  void ObserveOnce();
  void OnObserved(const wire::ObserveResponse& response);
  void WriteNext();
  void Write(const wire::Object& current);
  void RetryWrite() {
    write_retry.Set(kRetry, [this] { WriteNext(); });
  }

  env::Environment env;
  const telemetry::Logger& log;
  std::string job;
  rpc::Client client;
  env::Timer observe_retry;
  env::Timer write_retry;
  Callbacks callbacks;
  uint64_t attempt = 0;
  uint64_t version = 0;
  std::deque<Change> changes;
  bool writing = false;
};

NodeLink::NodeLink(const env::Environment& environment, rpc::Network& network,
                   const telemetry::Logger& log, std::string job, rpc::Address node)
    : state_(std::make_unique<State>(environment, network, log, std::move(job), node)) {}

NodeLink::~NodeLink() = default;

void NodeLink::TakeAttempt(std::function<void(uint64_t)> done) {
  State* state = state_.get();
  UpdateStatus(
      [state](wire::JobStatus* status) {
        state->attempt = status->attempt() + 1;
        status->set_attempt(state->attempt);
      },
      [state, done = std::move(done)] { done(state->attempt); });
}

void NodeLink::Observe(Callbacks callbacks) {
  state_->callbacks = std::move(callbacks);
  state_->ObserveOnce();
}

void NodeLink::State::ObserveOnce() {
  wire::ObserveRequest request;
  request.set_job(job);
  request.set_version(version);
  request.set_attempt(attempt);
  client.Call<wire::ObserveRequest, wire::ObserveResponse>(
      api::kObserve, request, {}, kOnce, [this](Result<rpc::Answer<wire::ObserveResponse>> answer) {
        if (answer.ok()) {
          OnObserved(answer->message);
        } else if (answer.status().code() == StatusCode::kPermissionDenied ||
                   answer.status().code() == StatusCode::kNotFound) {
          return callbacks.on_superseded(answer.status());
        }
        observe_retry.Set(answer.ok() ? Duration(0) : kRetry, [this] { ObserveOnce(); });
      });
}

void NodeLink::State::OnObserved(const wire::ObserveResponse& response) {
  version = response.version();
  std::vector<RunningContainer> containers;
  for (const wire::Container& c : response.containers()) {
    containers.push_back({.replica = {c.replica().role(), c.replica().index()},
                          .id = c.id(),
                          .running = c.running(),
                          .reason = c.reason()});
  }
  callbacks.on_containers(containers);
  if (response.stop()) callbacks.on_stop();
}

void NodeLink::Lose(const member::Loss& loss) {
  const bool is_silent = loss.kind == member::LossKind::kSilent;
  wire::LoseContainerRequest request;
  request.set_job(state_->job);
  request.set_attempt(state_->attempt);
  request.set_container(loss.seat.container);
  request.set_reason(loss.reason);
  request.set_kind(is_silent ? wire::LoseContainerRequest::SILENT
                             : wire::LoseContainerRequest::FENCED);
  state_->client.Call<wire::LoseContainerRequest, wire::LoseContainerResponse>(
      api::kLoseContainer, request, {}, {.deadline = Seconds(30)},
      [log = &state_->log, container = loss.seat.container](const auto& answer) {
        if (answer.ok()) return;
        // Observe shows the container until it is gone; silence will be found again.
        log->Warn("cannot report a lost container",
                  {{"container", container}, {"error", answer.status()}});
      });
}

void NodeLink::UpdateStatus(std::function<void(wire::JobStatus*)> change,
                            std::function<void()> done) {
  state_->changes.push_back({std::move(change), std::move(done)});
  if (!state_->writing) state_->WriteNext();
}

void NodeLink::State::Get(std::function<void(const Result<wire::Object>&)> done) {
  wire::GetObjectRequest request;
  request.set_kind("Job");
  request.set_name(job);
  client.Call<wire::GetObjectRequest, wire::GetObjectResponse>(
      api::kGetObject, request, {}, kOnce,
      [done = std::move(done)](const Result<rpc::Answer<wire::GetObjectResponse>>& answer) {
        if (!answer.ok()) return done(answer.status());
        done(answer->message.object());
      });
}

void NodeLink::State::WriteNext() {
  writing = !changes.empty();
  if (!writing) return;
  Get([this](const Result<wire::Object>& object) {
    if (!object.ok()) {
      log.Warn("cannot read the job's status", {{"error", object.status()}});
      return RetryWrite();
    }
    Write(*object);
  });
}

void NodeLink::State::Write(const wire::Object& current) {
  wire::JobStatus status;
  if (!status.ParseFromString(current.status())) {
    return log.Error("the job's status cannot be parsed", {{"job", job}});
  }
  if (status.attempt() > attempt && attempt != 0 && callbacks.on_superseded) {
    return callbacks.on_superseded(
        AbortedError("attempt " + std::to_string(status.attempt()) + " has the job"));
  }
  changes.front().apply(&status);
  wire::UpdateObjectRequest request;
  *request.mutable_object() = current;
  request.mutable_object()->set_status(status.SerializeAsString());
  request.set_status_only(true);
  client.Call<wire::UpdateObjectRequest, wire::UpdateObjectResponse>(
      api::kUpdateObject, request, {}, kOnce,
      [this](const Result<rpc::Answer<wire::UpdateObjectResponse>>& answer) {
        if (!answer.ok()) {
          if (answer.status().code() != StatusCode::kAborted) {
            log.Warn("cannot write the job's status", {{"error", answer.status()}});
          }
          return RetryWrite();
        }
        const std::function<void()> done = std::move(changes.front().done);
        changes.pop_front();
        WriteNext();
        done();
      });
}

}  // namespace primus::master
