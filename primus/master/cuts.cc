// How the core takes save points: docs/protocol.md, section 4.
#include <algorithm>

#include "primus/master/core.h"
#include "primus/savepoint/record.h"

#include "proto/wire/control.pb.h"
#include "proto/wire/record.pb.h"

namespace primus::master {

using member::RoleKind;

void Core::AdvanceCut(Instant now) {
  if (cut_.stage() == savepoint::CutStage::kNone) BeginCut(now);
  if (const Status error = cut_.WriteError();
      !error.ok() && cut_.stage() != savepoint::CutStage::kCommit) {
    return GiveUpCut(error, now);
  }
  if (cut_.AllHold()) {
    const data::RowCounts counts = ledger_.Counts();
    const Status balanced = data::CheckBalance(counts);
    if (!balanced.ok()) return End(Ending::kFailed, balanced);
    cut_.Freeze(ledger_.Save(), counts);
  }
  if (cut_.AllFrozen()) cut_.Release();
  if (cut_.AllWritten() && pending_ == nullptr) CommitCut();
}

void Core::BeginCut(Instant now) {
  std::optional<savepoint::CutReason> reason;
  const bool wait = cut_failures_ > 0 && now < next_cut_at_;
  if (now >= next_cut_at_) reason = savepoint::CutReason::kInterval;
  if (stop_ && !wait) reason = savepoint::CutReason::kStop;
  if (ledger_.PhaseComplete() && !wait) reason = savepoint::CutReason::kPhase;
  if (!reason || !Settled(flow_view_)) return;
  cut_.Begin(*reason, rollcall_.Incarnations(RoleKind::kTrainer),
             rollcall_.Incarnations(RoleKind::kPs));
}

void Core::CommitCut() {
  std::vector<std::string> states = cut_.metrics();
  states.insert(states.begin(), metrics());
  Result<std::string> merged = options_.merge_metrics(states);
  if (!merged.ok()) {
    return End(Ending::kFailed, merged.status().WithContext("adding up metric states"));
  }
  pending_ = std::make_unique<wire::Record>();
  pending_->set_number(history_.next_number());
  wire::Manifest* manifest = pending_->mutable_manifest();
  cut_.Commit(manifest);
  manifest->set_attempt(options_.attempt);
  manifest->set_view(view_);
  manifest->set_job(options_.job);
  manifest->set_metrics(std::move(*merged));
  manifest->set_wall_nanos(wall_.time_since_epoch().count());
  // A phase ends only by its own cut, whatever the cut was begun for.
  manifest->set_keep(manifest->position().phase() > ledger_.phase());
  effects_.put = RecordPut{pending_->number(), savepoint::EncodeRecord(*pending_)};
}

void Core::OnManifestPut(PutResult result, const wire::Record* taken, Instant now) {
  const std::unique_ptr<wire::Record> put = std::move(pending_);
  if (result == PutResult::kTaken) {
    return End(Ending::kSuperseded,
               AbortedError("record " + std::to_string(taken->number()) + " is another's"));
  }
  if (result == PutResult::kFailed) {
    return GiveUpCut(UnavailableError("cannot write " + savepoint::RecordName(put->number()) +
                                      "; see the master's log"),
                     now);
  }
  history_.Append(*put);
  effects_.collect_garbage = true;
  // A rollback that began meanwhile returns to this very save point.
  if (mode_ == Mode::kRunning) Saved(now);
}

void Core::Saved(Instant now) {
  cut_failures_ = 0;
  saved_at_ = now;
  next_cut_at_ = now + options_.save_every;
  const bool stopping = cut_.reason() == savepoint::CutReason::kStop;
  cut_.End();
  const wire::DataPosition& position = history_.manifest()->position();
  if (position.phase() > ledger_.phase()) {
    const bool holdout = options_.phases[ledger_.phase()].scope.purpose == batch::Purpose::kHoldout;
    ledger_.Restore(savepoint::FromWire(position));
    next_window_ = 0;
    if (holdout && ledger_.Counts().of(batch::RowKind::kEvaluated) == 0) {
      effects_.notes.push_back("no row was evaluated: none is on the side of spec.evaluate.from");
    }
    if (ledger_.phase() >= options_.phases.size()) return End(Ending::kCompleted, OkStatus());
    if (options_.phases[ledger_.phase()].windows.empty()) ledger_.EndOfTasks();
  }
  if (stopping) End(Ending::kSuspended, OkStatus());
}

void Core::GiveUpCut(const Status& error, Instant now) {
  effects_.notes.push_back("cut " + std::to_string(cut_.number()) +
                           " is given up: " + error.ToString());
  cut_.End();
  if (error.code() == StatusCode::kNotFound) {
    return End(Ending::kFailed, error.WithContext("the job's storage is gone, put it back"));
  }
  if (++cut_failures_ >= options_.storage_failures_max) {
    return End(Ending::kFailed,
               error.WithContext("no save point could be written, " +
                                 std::to_string(cut_failures_) + " tries, the last error"));
  }
  next_cut_at_ =
      now + std::min<Duration>(Milliseconds(200) * (1 << std::min(cut_failures_, 6U)), Seconds(10));
}

}  // namespace primus::master
