// How the core gets going: a new attempt's questions, the `begin` record, rollback, restore.
// docs/protocol.md, sections 5 and 6.
#include <algorithm>

#include "primus/master/core.h"
#include "primus/savepoint/record.h"

#include "proto/wire/control.pb.h"
#include "proto/wire/record.pb.h"

namespace primus::master {
namespace {

using member::RoleKind;

constexpr Duration kBeginRetry = Milliseconds(500);

}  // namespace

bool Core::EveryoneAsked() const {
  if (options_.attempt == 1) return true;
  if (!observed_ || !unheard_.empty()) return false;
  const std::vector<Member> members = rollcall_.Members();
  return std::all_of(members.begin(), members.end(), [](const Member& m) {
    return m.acknowledged && m.status->stamp().attempt() > 0;
  });
}

void Core::OnHistory(const std::vector<wire::Record>& records, Instant now) {
  if (mode_ != Mode::kReading) return;
  for (const wire::Record& record : records) history_.Append(record);
  if (const Status whole = history_.Check(); !whole.ok()) {
    End(Ending::kFailed, whole);
    return Reconcile(now);
  }
  if (history_.attempt() > options_.attempt) {
    End(Ending::kSuperseded,
        AbortedError("the newest records are of attempt " + std::to_string(history_.attempt())));
    return Reconcile(now);
  }
  view_ = std::max(view_, history_.view()) + 1;
  cut_.Skip(history_.cut());
  mode_ = Mode::kBeginning;
  attaching_ = true;
  Reconcile(now);
}

void Core::PutBegin() {
  pending_ = std::make_unique<wire::Record>();
  pending_->set_number(history_.next_number());
  wire::Begin* begin = pending_->mutable_begin();
  begin->set_attempt(options_.attempt);
  begin->set_view(view_);
  begin->set_from_record(history_.save_point());
  effects_.put = RecordPut{pending_->number(), savepoint::EncodeRecord(*pending_)};
}

void Core::OnPut(PutResult result, const wire::Record* taken, Instant now) {
  if (pending_ == nullptr) return;
  if (pending_->has_begin()) {
    OnBeginPut(result, taken, now);
  } else {
    OnManifestPut(result, taken, now);
  }
  Reconcile(now);
}

void Core::OnBeginPut(PutResult result, const wire::Record* taken, Instant now) {
  const std::unique_ptr<wire::Record> put = std::move(pending_);
  if (result == PutResult::kFailed) {
    retry_begin_at_ = now + kBeginRetry;
    if (++begin_failures_ < options_.storage_failures_max) return;
    return End(Ending::kFailed,
               UnavailableError("cannot write record " + savepoint::RecordName(put->number()) +
                                " to the job's storage; see the master's log"));
  }
  begin_failures_ = 0;
  if (result == PutResult::kTaken) {
    // What was being committed before got through, or somebody else goes on with the job.
    const uint64_t attempt =
        taken->has_begin() ? taken->begin().attempt() : taken->manifest().attempt();
    if (attempt > options_.attempt || taken->has_begin()) {
      return End(Ending::kSuperseded, AbortedError("record " + std::to_string(taken->number()) +
                                                   " is of attempt " + std::to_string(attempt)));
    }
    history_.Append(*taken);
    // Its view and cut may be ones that nobody knows of who could be asked.
    view_ = std::max(view_, history_.view() + 1);
    cut_.Skip(history_.cut());
    return;  // Reconcile puts `begin` again, behind it
  }
  history_.Append(*put);
  if (mode_ != Mode::kBeginning) return;
  if (attaching_ && Whole()) {
    effects_.notes.push_back("every trainer and ps is whole: going on without a rollback");
    return GoOn(now);
  }
  if (attaching_ && options_.attempt > 1) {
    effects_.notes.push_back("rollback to save point " + std::to_string(history_.save_point()) +
                             ": a new attempt, and not every trainer and ps is whole");
  }
  attaching_ = false;
  mode_ = Mode::kGathering;
}

bool Core::Whole() const {
  const uint64_t saved_cut = history_.manifest() == nullptr ? 0 : history_.manifest()->cut();
  const std::vector<Member> members = rollcall_.Members();
  const wire::ReplicaStatus* newest = nullptr;
  for (const Member& m : members) {
    if (m.status == nullptr) continue;
    const auto view = std::pair(m.status->held_stamp().attempt(), m.status->held_stamp().view());
    if (newest == nullptr ||
        view > std::pair(newest->held_stamp().attempt(), newest->held_stamp().view())) {
      newest = m.status;
    }
  }
  if (newest == nullptr || newest->held_stamp().attempt() == 0) return false;
  uint64_t whole_ps = 0;
  uint64_t whole_trainers = 0;
  for (const wire::Member& listed : newest->members()) {
    if (listed.kind() == wire::EXECUTOR) continue;
    const member::Seat* seat = rollcall_.roster().Find(listed.incarnation());
    if (seat == nullptr) return false;
    const wire::ReplicaStatus* status = rollcall_.Get(listed.incarnation()).status;
    const bool whole = status != nullptr && status->held_mode() == wire::RUN &&
                       status->held_stamp().attempt() == newest->held_stamp().attempt() &&
                       status->held_stamp().view() == newest->held_stamp().view() &&
                       status->saved_cut() == saved_cut;
    if (!whole) return false;
    ++(listed.kind() == wire::PS ? whole_ps : whole_trainers);
  }
  return whole_ps == options_.ps && whole_trainers == options_.trainers;
}

void Core::Rollback(const std::string& reason, Instant now) {
  effects_.notes.push_back("rollback to save point " + std::to_string(history_.save_point()) +
                           ": " + reason);
  ++rollbacks_;
  ++view_;
  if (!rolling_back_since_) rolling_back_since_ = now;
  cut_.End();
  attaching_ = false;
  mode_ = Mode::kBeginning;
  retry_begin_at_ = now;
  next_cut_at_ = now;
}

// All fenced, all there?
void Core::Gather() {
  const bool complete = rollcall_.Incarnations(RoleKind::kPs).size() == options_.ps &&
                        rollcall_.Incarnations(RoleKind::kTrainer).size() == options_.trainers;
  InstructAll();
  if (!complete || !rollcall_.AllAcknowledged()) return;
  mode_ = Mode::kRestoring;
  ReturnLedger();
}

// Ledger and counters return to the save point; the ps follow by their directives.
void Core::ReturnLedger() {
  const wire::Manifest* manifest = history_.manifest();
  data::Position position;
  if (manifest != nullptr) position = savepoint::FromWire(manifest->position());
  const bool same_phase = position.phase == ledger_.phase() && ledger_.tasks() > 0;
  if (!same_phase) next_window_ = 0;
  ledger_.Restore(position);
  departed_.clear();
  answers_.clear();
  const uint32_t phase = ledger_.phase();
  if (phase < options_.phases.size() && options_.phases[phase].windows.empty()) {
    ledger_.EndOfTasks();
  }
}

void Core::GoOn(Instant now) {
  attaching_ = false;
  ++view_;
  ReturnLedger();
  Run(now);
}

void Core::RunIfRestored(Instant now) {
  const std::vector<Member> all_ps = rollcall_.Members(RoleKind::kPs);
  const bool restored = std::all_of(all_ps.begin(), all_ps.end(), [this](const Member& m) {
    return m.status != nullptr && m.status->mode() == wire::RESTORE &&
           m.status->ps().restored_view() == view_;
  });
  if (restored) Run(now);
}

void Core::Run(Instant now) {
  mode_ = Mode::kRunning;
  flow_view_ = view_;
  effects_.notes.push_back("the job runs from save point " + std::to_string(history_.save_point()) +
                           " in view " + std::to_string(view_));
  view_members_.clear();
  for (const Member& m : rollcall_.Members()) view_members_.insert(m.seat.incarnation);
  // After a loss the next cut comes after half the time that was lost, so that a job which fails
  // often still advances.
  const Duration lost = saved_at_ == Instant{} ? Duration(0) : next_cut_at_ - saved_at_;
  const Duration wait =
      rollbacks_ == 0 ? options_.save_every : std::max<Duration>(Seconds(1), lost / 2);
  next_cut_at_ = now + std::min(wait, std::max<Duration>(options_.save_every, Seconds(1)));
  saved_at_ = now;
  if (ledger_.phase() >= options_.phases.size()) End(Ending::kCompleted, OkStatus());
}

}  // namespace primus::master
