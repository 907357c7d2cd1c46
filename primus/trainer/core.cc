#include "primus/trainer/core.h"

#include <algorithm>
#include <utility>

#include "primus/base/check.h"
#include "primus/member/wire_stamp.h"

#include "proto/wire/control.pb.h"

namespace primus::trainer {
namespace {

constexpr uint32_t kInternalErrorsMax = 20;  // in a row, from one ps for one request

bool SameFlow(const Stamp& a, const Stamp& b) { return a.attempt == b.attempt && a.view == b.view; }

enum class Verdict { kAgain, kEnd, kFail };

// What a refused pull or push means. A ps that goes away drops its answers, which arrives as
// kInternal, so that code is fatal only when it stays.
Verdict Judge(StatusCode code, uint32_t refusals) {
  switch (code) {
    case StatusCode::kPermissionDenied:
      return Verdict::kEnd;
    case StatusCode::kFailedPrecondition:
    case StatusCode::kUnavailable:
    case StatusCode::kDeadlineExceeded:
    case StatusCode::kCancelled:
    case StatusCode::kAborted:
      return Verdict::kAgain;
    case StatusCode::kInternal:
    case StatusCode::kUnknown:
      return refusals < kInternalErrorsMax ? Verdict::kAgain : Verdict::kFail;
    default:
      return Verdict::kFail;
  }
}

}  // namespace

Effects TrainerCore::On(const Event& event, const Moment& moment) {
  moment_ = moment;
  std::visit([this](const auto& happened) { Handle(happened); }, event);
  Advance();
  return std::exchange(effects_, {});
}

// --- directives

void TrainerCore::Handle(const DirectiveAdopted& event) {
  const wire::Directive& directive = *event.directive;
  stamp_ = member::ToStamp(directive.stamp());
  const auto& members = directive.members();
  const bool member = std::any_of(members.begin(), members.end(), [&](const wire::Member& m) {
    return m.incarnation() == directive.incarnation();
  });
  if (directive.mode() == wire::ATTACH) {
    if (standing_ == Standing::kRunning) standing_ = Standing::kAttached;
    unsaved_.Acknowledge(directive.acked_increment());
    held_cut_ = 0;
    return;
  }
  if (directive.mode() == wire::RUN && member) return Run(directive);
  // The session ends the replica; what it has done is saved.
  if (directive.mode() == wire::LEAVE) return;
  Fence();
}

void TrainerCore::Fence() {
  standing_ = Standing::kFenced;
  cutting_ = false;
  held_cut_ = 0;
  settled_view_ = 0;
  unsaved_.Clear();
  report_due_.reset();
  while (!rings_.empty()) {
    effects_.push_back(CloseRing{rings_.begin()->first});
    rings_.erase(rings_.begin());
  }
  std::vector<StepId> ids;
  for (const auto& [id, step] : steps_) ids.push_back(id);
  for (const StepId id : ids) Abandon(id);
}

void TrainerCore::Run(const wire::Directive& directive) {
  std::vector<std::pair<ReplicaId, Incarnation>> ps;
  writers_.clear();
  for (const wire::Member& member : directive.members()) {
    if (member.kind() == wire::EXECUTOR) writers_.insert(member.incarnation());
    if (member.kind() != wire::PS) continue;
    ps.push_back({{member.replica().role(), member.replica().index()}, member.incarnation()});
  }
  std::sort(ps.begin(), ps.end());
  std::vector<Incarnation> incarnations;
  for (const auto& [replica, incarnation] : ps) incarnations.push_back(incarnation);
  if (incarnations != ps_ && InFlight() > 0 && standing_ != Standing::kFenced) {
    Fail(0, InternalError("the ps of the view changed without a rollback"));
    Fence();
  }
  ps_ = std::move(incarnations);
  flow_ = member::ToStamp(directive.flow());
  cutting_ = directive.cut_stage() != wire::NO_CUT;
  standing_ = Standing::kRunning;
  if (!cutting_) held_cut_ = 0;
  unsaved_.Acknowledge(directive.acked_increment());
  unsaved_.Saved(directive.saved_cut());
  DropStale();
  for (auto& [id, step] : steps_) step.calls.MakeAllDue(moment_.now);
}

// Throws away what comes from a writer that left the view, or of another flow, and is not begun.
void TrainerCore::DropStale() {
  for (auto it = rings_.begin(); it != rings_.end();) {
    if (Welcome(it->second.writer, it->second.flow)) {
      ++it;
      continue;
    }
    effects_.push_back(CloseRing{it->first});
    it = rings_.erase(it);
  }
  std::vector<StepId> stale;
  for (const auto& [id, step] : steps_) {
    if (step.state != StepState::kPushing && !Welcome(step.writer, step.flow)) stale.push_back(id);
  }
  for (const StepId id : stale) Abandon(id);
}

bool TrainerCore::Welcome(Incarnation writer, const Stamp& flow) const {
  return writers_.contains(writer) && SameFlow(flow, flow_);
}

Status TrainerCore::AdmitWriter(Incarnation writer, const Stamp& flow) const {
  if (standing_ != Standing::kRunning) return UnavailableError("the trainer is not running");
  if (!writers_.contains(writer)) {
    return FailedPreconditionError("incarnation " + std::to_string(writer) + " is not in view " +
                                   ToString(stamp_));
  }
  if (!SameFlow(flow, flow_)) {
    return FailedPreconditionError("flow " + ToString(flow) + " is not the one in force, " +
                                   ToString(flow_));
  }
  return OkStatus();
}

// --- rings

void TrainerCore::Handle(const RingOpened& event) {
  // The directive may have changed since the writer was admitted.
  if (standing_ == Standing::kFenced || !Welcome(event.writer, event.flow)) {
    effects_.push_back(CloseRing{event.ring});
    return;
  }
  rings_[event.ring] = {.writer = event.writer, .flow = event.flow, .state = Ring::State::kReady};
}

void TrainerCore::Handle(const RingReady& event) {
  const auto it = rings_.find(event.ring);
  if (it != rings_.end()) it->second.state = Ring::State::kReady;
}

void TrainerCore::Handle(const RingEmpty& event) {
  const auto it = rings_.find(event.ring);
  if (it != rings_.end()) it->second.state = Ring::State::kEmpty;
}

void TrainerCore::Handle(const RingClosed& event) {
  // Steps taken from it go on: their rows are given to others only in a view without the writer.
  if (rings_.erase(event.ring) > 0) effects_.push_back(CloseRing{event.ring});
}

void TrainerCore::Handle(const BatchTaken& event) {
  const auto ring = rings_.find(event.ring);
  PRIMUS_CHECK(ring != rings_.end(), "a batch is taken from a ring that is open");
  Step step;
  step.batch = event;
  step.writer = ring->second.writer;
  step.flow = ring->second.flow;
  steps_.emplace(event.step, std::move(step));
}

// --- answers about steps

TrainerCore::Step* TrainerCore::Live(StepId id) {
  const auto it = steps_.find(id);
  if (it == steps_.end()) return nullptr;
  if (it->second.state != StepState::kAbandoned) return &it->second;
  // Its work on the pool is over: now it can go.
  Forget(id);
  return nullptr;
}

void TrainerCore::Handle(const StepPrepared& event) {
  Step* step = Live(event.step);
  if (step == nullptr) return;
  Enter(*step, StepState::kPulling);
  step->calls.Start(ps_.size(), moment_.now);
}

void TrainerCore::Handle(const StepRan& event) {
  Step* step = Live(event.step);
  if (step == nullptr) return;
  Enter(*step, StepState::kComputed);
  step->scores = event.scores;
  effects_.push_back(ReleaseSlot{event.step});
}

void TrainerCore::Handle(const StepRefused& event) {
  Step* step = Live(event.step);
  if (step == nullptr) return;
  Enter(*step, StepState::kRefused);
  Fail(event.step, event.status);
}

void TrainerCore::Handle(const PullAnswered& event) {
  const auto it = steps_.find(event.step);
  if (it == steps_.end() || it->second.state != StepState::kPulling) return;
  Answered(it->second, event.ps, event.status);
  if (!it->second.calls.done()) return;
  Enter(it->second, StepState::kRunning);
  effects_.push_back(RunStep{event.step});
}

void TrainerCore::Handle(const PushAnswered& event) {
  const auto it = steps_.find(event.step);
  if (it == steps_.end() || it->second.state != StepState::kPushing) return;
  Answered(it->second, event.ps, event.status);
  if (it->second.calls.done()) Finish(event.step);
}

void TrainerCore::Answered(Step& step, uint32_t ps, const Status& status) {
  if (status.ok()) return step.calls.Succeeded(ps);
  const uint32_t refusals = step.calls.Refused(ps, moment_.now);
  switch (Judge(status.code(), refusals)) {
    case Verdict::kAgain:
      return;
    case Verdict::kEnd:
      effects_.push_back(EndReplica{status});
      return;
    case Verdict::kFail:
      return Fail(0, status.WithContext("ps", std::to_string(ps)));
  }
}

void TrainerCore::Fail(StepId id, const Status& status) {
  if (std::exchange(failed_, true)) return;
  effects_.push_back(FailJob{.step = id, .status = status});
}

void TrainerCore::Abandon(StepId id) {
  Step& step = steps_.at(id);
  const bool on_pool = step.state == StepState::kPreparing || step.state == StepState::kRunning;
  if (on_pool) step.state = StepState::kAbandoned;
  if (!on_pool && step.state != StepState::kAbandoned) Forget(id);
}

void TrainerCore::Forget(StepId id) {
  steps_.erase(id);
  effects_.push_back(ForgetStep{id});
}

}  // namespace primus::trainer
