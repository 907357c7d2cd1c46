#include "primus/master/core.h"

#include <algorithm>
#include <utility>

#include "primus/batch/wire_spans.h"
#include "primus/savepoint/record.h"

#include "proto/wire/control.pb.h"
#include "proto/wire/record.pb.h"
#include "proto/wire/task.pb.h"

namespace primus::master {
namespace {

using member::RoleKind;

// Then it is said who is waited for.
constexpr Duration kPatience = Seconds(5);

void ToWire(const data::TaskPlan& task, wire::TaskPlan* message) {
  message->set_id(task.id);
  message->set_stream(task.stream);
  message->set_window(task.window);
  message->set_rows(task.rows);
  for (const data::Split& split : task.splits) {
    wire::Split* out = message->add_splits();
    out->set_path(split.path);
    out->set_version(split.version);
    out->set_first_row(split.first_row);
    out->set_rows(split.rows);
  }
}

void ToWire(const data::PhaseScope& scope, wire::PhaseScope* message) {
  message->set_phase(scope.phase);
  message->set_pass(scope.pass);
  message->set_purpose(static_cast<uint32_t>(scope.purpose));
  if (scope.from) message->set_from_nanos(scope.from->time_since_epoch().count());
  if (scope.to) message->set_to_nanos(scope.to->time_since_epoch().count());
  message->set_shuffle(scope.shuffle);
  message->set_shuffle_seed(scope.shuffle_seed);
}

}  // namespace

Core::Core(CoreOptions options)
    : options_(std::move(options)),
      rollcall_(options_.attempt, options_.silence_max),
      ledger_(options_.attempt),
      history_(options_.keep_last) {}

Core::~Core() = default;

Status Core::OnReport(const wire::ReplicaStatus& status, Instant now) {
  const Result<Incarnation> heard = rollcall_.Hear(status, now);
  if (!heard.ok() && heard.status().code() == StatusCode::kAborted) {
    End(Ending::kSuperseded, heard.status());
    return heard.status();
  }
  if (!heard.ok()) return heard.status();
  unheard_.erase(status.container());
  view_ = std::max(view_, mode_ == Mode::kAsking ? status.held_stamp().view() : 0);
  if (mode_ == Mode::kAsking) cut_.Skip(status.held_stamp().cut());
  if (status.error_code() != 0 && mode_ != Mode::kEnding) {
    const Status error(static_cast<StatusCode>(status.error_code()), status.error());
    End(Ending::kFailed,
        error.WithContext(ToString(ReplicaId{status.replica().role(), status.replica().index()})));
  }
  if (mode_ == Mode::kRunning) {
    RecordIncrements(*heard, status, now);
    cut_.Hear(*heard, status);
  }
  Reconcile(now);
  return OkStatus();
}

void Core::RecordIncrements(Incarnation trainer, const wire::ReplicaStatus& status, Instant now) {
  const bool current = status.stamp().attempt() == options_.attempt && status.mode() == wire::RUN &&
                       status.held_stamp().view() >= flow_view_;
  if (!current) return;
  uint64_t& newest = increments_[trainer];
  for (const wire::Increment& increment : status.trainer().increments()) {
    if (increment.number() <= newest) continue;
    newest = increment.number();
    std::vector<batch::Span> spans;
    for (const wire::Spans& group : increment.spans()) batch::AppendSpans(group, spans);
    const Status recorded = ledger_.Record(spans);
    if (!recorded.ok()) return End(Ending::kFailed, recorded);
    if (rolling_back_since_) {
      const int64_t taken = ToMilliseconds(now - *std::exchange(rolling_back_since_, std::nullopt));
      effects_.notes.push_back("trains again, " + std::to_string(taken) +
                               " ms after the rollback began");
    }
  }
}

void Core::OnContainers(const std::vector<RunningContainer>& containers, Instant now) {
  observed_ = true;
  running_.clear();
  for (const RunningContainer& container : containers) {
    if (!options_.roles.contains(container.replica.role)) continue;
    if (!container.running) {
      rollcall_.roster().ContainerGone(container.id, container.reason);
      continue;
    }
    running_.insert(container.id);
    rollcall_.roster().ContainerLaunched(container.replica, container.id);
    const auto seat = rollcall_.roster().seats().find(container.replica);
    const bool heard =
        seat != rollcall_.roster().seats().end() && seat->second.container == container.id;
    if (!heard) unheard_.try_emplace(container.id, now);
  }
  std::erase_if(unheard_, [this](const auto& entry) { return !running_.contains(entry.first); });
  Reconcile(now);
}

Status Core::OnLease(const wire::LeaseRequest& request, Instant now,
                     wire::LeaseResponse* response) {
  const Incarnation holder = request.incarnation();
  if (!view_members_.contains(holder) || rollcall_.roster().Find(holder) == nullptr) {
    return FailedPreconditionError("not in the view: " + std::to_string(holder));
  }
  if (request.stamp().attempt() != options_.attempt || request.stamp().view() < flow_view_) {
    return FailedPreconditionError("stale stamp in a lease request");
  }
  const auto answered = answers_.find(holder);
  if (answered != answers_.end() && request.request() <= answered->second.first) {
    if (request.request() < answered->second.first) {
      return FailedPreconditionError("a later request was answered already");
    }
    response->ParseFromString(answered->second.second);
    return OkStatus();
  }
  response->set_state(wire::WAIT);
  if (mode_ == Mode::kRunning && Settled(flow_view_)) GrantLeases(request, response);
  // Whatever it is: the same request never gets another answer.
  answers_[holder] = {request.request(), response->SerializeAsString()};
  Reconcile(now);
  return OkStatus();
}

void Core::GrantLeases(const wire::LeaseRequest& request, wire::LeaseResponse* response) {
  const Incarnation holder = request.incarnation();
  for (uint32_t i = 0; i < request.tasks_max(); ++i) {
    const std::optional<data::Lease> lease = ledger_.Grant(holder);
    if (!lease) break;
    response->set_state(wire::GRANTED);
    wire::LeasedTask* task = response->add_tasks();
    ToWire(lease->task, task->mutable_task());
    ToWire(options_.phases[ledger_.phase()].scope, task->mutable_scope());
    task->set_generation(lease->generation);
    task->mutable_done()->set_task(lease->task.id);
    for (const batch::Interval& interval : lease->done.intervals()) {
      task->mutable_done()->add_bounds(interval.begin);
      task->mutable_done()->add_bounds(interval.end);
    }
  }
  if (response->tasks_size() == 0 && ledger_.all_added()) response->set_state(wire::DRAINED);
}

void Core::OnPlanned(const std::string& window, std::vector<data::TaskPlan> tasks, Instant now) {
  const bool expected = next_window_ < options_.phases[ledger_.phase()].windows.size() &&
                        options_.phases[ledger_.phase()].windows[next_window_] == window;
  if (mode_ == Mode::kEnding || !expected) return;
  ++next_window_;
  for (data::TaskPlan& task : tasks) {
    const Status added = ledger_.Add(std::move(task));
    if (!added.ok()) return End(Ending::kFailed, added);
  }
  if (next_window_ == options_.phases[ledger_.phase()].windows.size()) ledger_.EndOfTasks();
  Reconcile(now);
}

std::optional<std::string> Core::NextWindow(uint64_t free_max) const {
  const bool planning = mode_ == Mode::kRunning && ledger_.phase() < options_.phases.size();
  if (!planning || ledger_.free_tasks() >= free_max) return std::nullopt;
  const std::vector<std::string>& windows = options_.phases[ledger_.phase()].windows;
  if (next_window_ >= windows.size()) return std::nullopt;
  return windows[next_window_];
}

void Core::OnStop(Instant now) {
  stop_ = true;
  Reconcile(now);
}

void Core::OnFailure(const Status& error, Instant now) {
  End(Ending::kFailed, error);
  Reconcile(now);
}

void Core::OnOutcomeWritten(Instant now) {
  leaving_ = true;
  Reconcile(now);
}

void Core::OnTick(const Now& time) {
  const Instant now = time.monotonic;
  wall_ = time.wall;
  rollcall_.roster().CheckSilence(now);
  for (const auto& [container, since] : unheard_) {
    if (now - since < options_.silence_max) continue;
    rollcall_.roster().ContainerGone(container, "never registered");
    member::Seat seat;
    seat.container = container;
    effects_.lose.push_back({seat, member::LossKind::kSilent, "never registered"});
  }
  Reconcile(now);
  SayWhoIsAwaited(now);
}

void Core::SayWhoIsAwaited(Instant now) {
  const bool waiting =
      mode_ == Mode::kAsking || mode_ == Mode::kGathering || mode_ == Mode::kRestoring;
  if (!waiting || awaiting_since_ == Instant{}) awaiting_since_ = now;
  if (now - awaiting_since_ < kPatience) return;
  awaiting_since_ = now;
  std::string note = ModeName() + ", waiting for";
  for (const auto& [container, since] : unheard_) note += " " + container + " (not heard)";
  for (const Member& m : rollcall_.Members()) {
    if (!m.acknowledged) note += " " + m.seat.container + " (no answer)";
  }
  effects_.notes.push_back(std::move(note));
}

void Core::Reconcile(Instant now) {
  HandleLosses(now);
  if (mode_ == Mode::kAsking && EveryoneAsked()) {
    mode_ = Mode::kReading;
    effects_.read_history = true;
  }
  if (mode_ == Mode::kBeginning && pending_ == nullptr && now >= retry_begin_at_) PutBegin();
  if (mode_ == Mode::kGathering) Gather();
  if (mode_ == Mode::kRestoring) RunIfRestored(now);
  if (mode_ == Mode::kRunning) {
    UpdateView();
    ReleaseDeparted();
    AdvanceCut(now);
  }
  InstructAll();
  for (const Steer& steer : rollcall_.TakeSteers()) effects_.steers.push_back(steer);
}

void Core::HandleLosses(Instant now) {
  bool fatal = false;
  std::string reason;
  for (const member::Loss& loss : rollcall_.TakeLosses()) {
    const char* what = mode_ == Mode::kEnding ? " has left: " : " is lost: ";
    effects_.notes.push_back(ToString(loss.seat.replica) + what + loss.reason);
    effects_.lose.push_back(loss);
    answers_.erase(loss.seat.incarnation);
    if (loss.seat.kind != RoleKind::kExecutor) {
      fatal = true;
      reason = ToString(loss.seat.replica) + " is lost: " + loss.reason;
    } else if (mode_ == Mode::kRunning && view_members_.contains(loss.seat.incarnation)) {
      departed_[loss.seat.incarnation] = view_ + 1;
    }
  }
  if (fatal && (mode_ == Mode::kRunning || mode_ == Mode::kRestoring)) Rollback(reason, now);
}

void Core::UpdateView() {
  std::set<Incarnation> members;
  for (const Member& m : rollcall_.Members()) members.insert(m.seat.incarnation);
  if (members == view_members_) return;
  view_members_ = std::move(members);
  ++view_;
}

// A lost executor's tasks are free once every trainer has finished what it had begun.
void Core::ReleaseDeparted() {
  std::erase_if(departed_, [this](const auto& entry) {
    if (!Settled(entry.second)) return false;
    ledger_.Release(entry.first);
    return true;
  });
}

bool Core::Settled(uint64_t view) const {
  const std::vector<Member> trainers = rollcall_.Members(RoleKind::kTrainer);
  return std::all_of(trainers.begin(), trainers.end(), [view, this](const Member& m) {
    return m.status != nullptr && m.status->mode() == wire::RUN &&
           m.status->held_stamp().view() >= flow_view_ &&
           m.status->trainer().settled_view() >= view;
  });
}

Effects Core::TakeEffects() { return std::exchange(effects_, {}); }

const wire::Directive& Core::DirectiveOf(Incarnation incarnation) const {
  return *rollcall_.Get(incarnation).directive;
}

Result<Incarnation> Core::IncarnationOf(const wire::ReplicaStatus& status) const {
  const ReplicaId replica{status.replica().role(), status.replica().index()};
  const auto it = rollcall_.roster().seats().find(replica);
  if (it == rollcall_.roster().seats().end() || it->second.container != status.container()) {
    return Status(StatusCode::kPermissionDenied, "no member: " + status.container());
  }
  return it->second.incarnation;
}

void Core::End(Ending ending, const Status& error) {
  if (mode_ == Mode::kEnding) return;
  mode_ = Mode::kEnding;
  cut_.End();
  effects_.outcome = Outcome{ending, error};
}

Progress Core::progress() const {
  return {.mode = ModeName(),
          .phase = ledger_.phase(),
          .window = ledger_.CurrentWindow(),
          .counts = ledger_.Counts(),
          .cut = cut_.number(),
          .view = view_,
          .rollbacks = rollbacks_};
}

std::string Core::metrics() const {
  const wire::Manifest* manifest = history_.manifest();
  return manifest == nullptr ? std::string() : manifest->metrics();
}

std::string Core::ModeName() const {
  switch (mode_) {
    case Mode::kAsking:
      return "Asking";
    case Mode::kReading:
      return "Reading";
    case Mode::kBeginning:
      return "Beginning";
    case Mode::kGathering:
      return "Gathering";
    case Mode::kRestoring:
      return "Restoring";
    case Mode::kRunning:
      return "Running";
    case Mode::kEnding:
      return "Ending";
  }
  return "";
}

}  // namespace primus::master
