#include "primus/member/session.h"

#include <algorithm>
#include <utility>

#include "primus/member/methods.h"
#include "primus/member/wire_stamp.h"
#include "primus/telemetry/logger.h"

#include "proto/wire/control.pb.h"

namespace primus::member {
namespace {

constexpr Duration kFirstHeartbeat = Milliseconds(100);

bool IsNewer(const wire::Directive& a, const wire::Directive& b) {
  return std::pair(a.stamp().attempt(), a.sequence()) >
         std::pair(b.stamp().attempt(), b.sequence());
}

}  // namespace

struct Session::State {
  State(const env::Environment& environment, rpc::Network& network, telemetry::Logger& logger,
        SessionOptions session_options, Callbacks session_callbacks)
      : env(environment),
        log(logger),
        options(std::move(session_options)),
        callbacks(std::move(session_callbacks)),
        master(environment, network, options.master),
        heartbeat(environment.loop) {}

  void Send();
  void OnReportDone(const Result<rpc::Answer<wire::ReportResponse>>& answer);
  void Adopt(const wire::Directive& newer);
  wire::ReplicaStatus MakeStatus() const;
  Duration HeartbeatPeriod() const;
  void End(const Status& status);

  env::Environment env;
  telemetry::Logger& log;
  SessionOptions options;
  Callbacks callbacks;
  rpc::Client master;
  env::Timer heartbeat;
  wire::Directive directive;
  wire::Directive held;  // the newest directive other than ATTACH
  Incarnation incarnation = 0;
  uint64_t cut_floor = 0;  // data-plane messages of older cuts are refused
  Instant last_heard{};
  Status failure;
  bool started = false;
  bool sending = false;
  bool wanted = false;
  bool ended = false;
};

Session::Session(const env::Environment& environment, rpc::Network& network, rpc::Server& server,
                 telemetry::Logger& log, SessionOptions options, Callbacks callbacks)
    : state_(std::make_unique<State>(environment, network, log, std::move(options),
                                     std::move(callbacks))) {
  server.Handle(kSteer, [state = state_.get()](const wire::SteerRequest& request, std::string,
                                               const rpc::Reply<wire::SteerResponse>& reply) {
    const wire::Directive& directive = request.directive();
    if (state->incarnation != 0 && directive.incarnation() != state->incarnation) {
      return reply(FailedPreconditionError("the directive is for another incarnation: " +
                                           std::to_string(directive.incarnation())));
    }
    if (IsNewer(directive, state->directive)) state->Adopt(directive);
    wire::SteerResponse response;
    *response.mutable_status() = state->MakeStatus();
    reply(response);
  });
}

Session::~Session() = default;

void Session::Start() {
  state_->started = true;
  state_->last_heard = state_->env.loop.Get().monotonic;
  ReportSoon();
}

void Session::ReportSoon() {
  State& state = *state_;
  if (!state.started || state.wanted || state.ended) return;
  state.wanted = true;
  if (!state.sending) state.heartbeat.Set(Duration(0), [&state] { state.Send(); });
}

void Session::Fail(const Status& error) {
  if (!state_->failure.ok()) return;
  state_->log.Error("replica cannot go on", {{"error", error}});
  state_->failure = error;
  ReportSoon();
}

void Session::State::Send() {
  if (sending || ended) return;
  sending = true;
  wanted = false;
  wire::ReportRequest request;
  *request.mutable_status() = MakeStatus();
  master.Call<wire::ReportRequest, wire::ReportResponse>(
      kReport, request, {}, {},
      [this](Result<rpc::Answer<wire::ReportResponse>> answer) { OnReportDone(answer); });
}

void Session::State::OnReportDone(const Result<rpc::Answer<wire::ReportResponse>>& answer) {
  sending = false;
  if (!answer.ok() && answer.status().code() == StatusCode::kPermissionDenied) {
    return End(answer.status());
  }
  if (answer.ok()) {
    const wire::Directive& newest = answer->message.directive();
    const bool ours = incarnation == 0 || newest.incarnation() == incarnation;
    if (newest.stamp().attempt() >= directive.stamp().attempt()) {
      last_heard = env.loop.Get().monotonic;
    }
    if (ours && IsNewer(newest, directive)) Adopt(newest);
  }
  if (ended) return;
  heartbeat.Set(wanted ? Duration(0) : HeartbeatPeriod(), [this] { Send(); });
}

void Session::State::Adopt(const wire::Directive& newer) {
  directive = newer;
  incarnation = newer.incarnation();
  if (newer.mode() != wire::ATTACH) held = newer;
  last_heard = env.loop.Get().monotonic;
  if (newer.cut_stage() != wire::HOLD) cut_floor = std::max(cut_floor, newer.stamp().cut());
  log.Debug("directive adopted", {{"stamp", ToStamp(newer.stamp())},
                                  {"sequence", newer.sequence()},
                                  {"mode", wire::Mode_Name(newer.mode())}});
  callbacks.on_directive();
  if (newer.mode() == wire::LEAVE) End(OkStatus());
}

void Session::State::End(const Status& status) {
  if (ended) return;
  ended = true;
  heartbeat.Cancel();
  // Posted: the answer to the directive goes out first.
  env.loop.Post([on_end = callbacks.on_end, status] { on_end(status); });
}

Duration Session::State::HeartbeatPeriod() const {
  const uint32_t period_ms = directive.heartbeat_milliseconds();
  return period_ms == 0 ? kFirstHeartbeat : Milliseconds(period_ms);
}

wire::ReplicaStatus Session::State::MakeStatus() const {
  wire::ReplicaStatus status;
  status.mutable_replica()->set_role(options.replica.role);
  status.mutable_replica()->set_index(options.replica.index);
  status.set_kind(static_cast<wire::RoleKind>(options.kind));
  status.set_incarnation(incarnation);
  status.set_container(options.container);
  *status.mutable_stamp() = directive.stamp();
  status.set_sequence(directive.sequence());
  status.set_mode(directive.mode());
  *status.mutable_held_stamp() = held.stamp();
  status.set_held_mode(held.mode());
  *status.mutable_members() = held.members();
  status.set_saved_cut(held.saved_cut());
  status.set_rpc_address(options.own);
  status.set_handover_address(options.own_handover);
  if (!failure.ok()) {
    status.set_error_code(static_cast<uint32_t>(failure.code()));
    status.set_error(failure.message());
  }
  callbacks.fill_status(&status);
  return status;
}

const wire::Directive& Session::directive() const { return state_->directive; }

Incarnation Session::incarnation() const { return state_->incarnation; }

Stamp Session::stamp() const { return ToStamp(state_->directive.stamp()); }

bool Session::lease_valid() const {
  const Duration lease = Seconds(state_->directive.lease_seconds());
  return state_->env.loop.Get().monotonic - state_->last_heard < lease;
}

Status Session::Admit(const Stamp& message, Incarnation sender) const {
  const wire::Directive& directive = state_->directive;
  if (directive.mode() != wire::RUN) {
    return UnavailableError("fenced: mode is " + wire::Mode_Name(directive.mode()));
  }
  const Stamp own = stamp();
  const auto message_view = std::pair(message.attempt, message.view);
  const auto own_view = std::pair(own.attempt, own.view);
  if (message_view > own_view) {
    return UnavailableError("the message is of a view to come: " + ToString(message) +
                            ", here is " + ToString(own));
  }
  if (message_view < own_view || message.cut < state_->cut_floor) {
    return FailedPreconditionError("stale stamp " + ToString(message) + ", here is " +
                                   ToString(own));
  }
  const bool member =
      std::any_of(directive.members().begin(), directive.members().end(),
                  [sender](const wire::Member& m) { return m.incarnation() == sender; });
  if (!member) {
    return Status(StatusCode::kPermissionDenied,
                  "incarnation " + std::to_string(sender) + " is not in view " + ToString(own));
  }
  return OkStatus();
}

}  // namespace primus::member
