// The master's decisions: membership, leases, cuts, rollback and restart, phases. Composes
// Rollcall, Ledger, Cut and History; holds none of their knowledge. Rules: docs/protocol.md.
//
// Level-triggered and pure: each On… takes in what happened, looks at the whole state again and
// leaves orders in TakeEffects(), for the shell. One put of a record is under way at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "primus/base/result.h"
#include "primus/data/ledger.h"
#include "primus/master/rollcall.h"
#include "primus/savepoint/cut.h"
#include "primus/savepoint/history.h"

namespace primus::wire {
class LeaseRequest;
class LeaseResponse;
}  // namespace primus::wire

namespace primus::master {

// A phase with the windows that it reads, in order.
struct Phase {
  data::PhaseScope scope;
  std::vector<std::string> windows;
};

struct CoreOptions {
  std::string job;
  uint64_t attempt = 0;
  uint32_t ps = 0;
  uint32_t trainers = 0;
  std::set<std::string> roles;  // whose replicas register here
  std::vector<Phase> phases;
  Duration save_every = Seconds(30);
  uint32_t keep_last = 3;
  Duration silence_max = Seconds(10);
  Duration heartbeat = Milliseconds(250);
  uint32_t storage_failures_max = 10;  // one after the other, then the job fails
  // Adds metric states (train/metrics.h) up; the first may be empty.
  std::function<Result<std::string>(const std::vector<std::string>&)> merge_metrics;
};

struct RunningContainer {
  ReplicaId replica;
  std::string id;
  bool running = false;
  std::string reason;
};

enum class PutResult {
  kPut,     // the record is durable
  kTaken,   // another record has the number
  kFailed,  // read back: it is not there
};

enum class Ending { kCompleted, kFailed, kSuspended, kSuperseded };

struct Outcome {
  Ending ending = Ending::kCompleted;
  Status error;
};

struct RecordPut {
  uint64_t number = 0;
  std::string bytes;
};

struct Effects {
  std::vector<Steer> steers;
  std::vector<member::Loss> lose;  // of who never registered only the container is known
  std::optional<RecordPut> put;
  bool read_history = false;
  bool collect_garbage = false;
  std::vector<std::string> notes;  // for the log, in words
  std::optional<Outcome> outcome;
};

// What people see of a running job.
struct Progress {
  std::string mode;
  uint32_t phase = 0;
  std::string window;
  data::RowCounts counts;
  uint64_t cut = 0;
  uint64_t view = 0;
  uint64_t rollbacks = 0;
};

class Core {
 public:
  explicit Core(CoreOptions options);
  ~Core();
  // kPermissionDenied: not a member (exit).
  Status OnReport(const wire::ReplicaStatus& status, Instant now);
  void OnContainers(const std::vector<RunningContainer>& containers, Instant now);
  Status OnLease(const wire::LeaseRequest& request, Instant now, wire::LeaseResponse* response);
  // All records, in order; answers Effects::read_history.
  void OnHistory(const std::vector<wire::Record>& records, Instant now);
  // Answers Effects::put. `taken` with kTaken: what stands under the number.
  void OnPut(PutResult result, const wire::Record* taken, Instant now);
  void OnPlanned(const std::string& window, std::vector<data::TaskPlan> tasks, Instant now);
  void OnStop(Instant now);
  void OnFailure(const Status& error, Instant now);
  // The outcome stands in the Job's status: now everybody may leave.
  void OnOutcomeWritten(Instant now);
  // Time passed; also how silence is found, and what time a manifest shows.
  void OnTick(const Now& now);

  Effects TakeEffects();
  // The shell is about to delete these records.
  void Forget(const std::vector<uint64_t>& records) { history_.Forget(records); }
  // The newest directive of a member; it must be there.
  const wire::Directive& DirectiveOf(Incarnation incarnation) const;
  Result<Incarnation> IncarnationOf(const wire::ReplicaStatus& status) const;
  // The next window to plan, while fewer than `free_max` tasks wait.
  std::optional<std::string> NextWindow(uint64_t free_max) const;
  Progress progress() const;
  // Of the whole saved history.
  std::string metrics() const;
  const Rollcall& rollcall() const { return rollcall_; }
  const savepoint::History& history() const { return history_; }
  const std::vector<Phase>& phases() const { return options_.phases; }

 private:
  enum class Mode { kAsking, kReading, kBeginning, kGathering, kRestoring, kRunning, kEnding };

  void Reconcile(Instant now);
  void SayWhoIsAwaited(Instant now);
  void HandleLosses(Instant now);
  void RecordIncrements(Incarnation trainer, const wire::ReplicaStatus& status, Instant now);
  void GrantLeases(const wire::LeaseRequest& request, wire::LeaseResponse* response);
  bool EveryoneAsked() const;
  // A restarted master goes on without a rollback?
  bool Whole() const;
  void Rollback(const std::string& reason, Instant now);
  void PutBegin();
  void Gather();
  void ReturnLedger();
  void GoOn(Instant now);
  void RunIfRestored(Instant now);
  void Run(Instant now);
  void UpdateView();
  void ReleaseDeparted();
  bool Settled(uint64_t view) const;
  void AdvanceCut(Instant now);
  void BeginCut(Instant now);
  void CommitCut();
  void Saved(Instant now);
  void GiveUpCut(const Status& error, Instant now);
  void OnBeginPut(PutResult result, const wire::Record* taken, Instant now);
  void OnManifestPut(PutResult result, const wire::Record* taken, Instant now);
  void End(Ending ending, const Status& error);
  void InstructAll();
  wire::Directive DirectiveFor(const Member& member) const;
  std::string ModeName() const;

  CoreOptions options_;
  Mode mode_ = Mode::kAsking;
  Rollcall rollcall_;
  data::Ledger ledger_;
  savepoint::Cut cut_;
  savepoint::History history_;
  Effects effects_;

  uint64_t view_ = 0;
  uint64_t flow_view_ = 0;
  std::set<Incarnation> view_members_;
  std::map<Incarnation, uint64_t> departed_;    // executors lost, and the view without them
  std::map<Incarnation, uint64_t> increments_;  // the newest in the ledger, by trainer
  std::map<std::string, Instant> unheard_;      // running containers not heard yet, since when
  std::set<std::string> running_;               // containers, as last observed
  std::map<Incarnation, std::pair<uint64_t, std::string>> answers_;  // the last lease of each
  bool observed_ = false;
  bool attaching_ = false;                 // the pending `begin` is the one of a new attempt
  std::unique_ptr<wire::Record> pending_;  // being put
  std::size_t next_window_ = 0;
  bool stop_ = false, leaving_ = false;
  uint32_t cut_failures_ = 0;
  uint32_t begin_failures_ = 0;
  Instant saved_at_{};
  Instant next_cut_at_{};
  Instant retry_begin_at_{};
  Instant awaiting_since_{};
  std::optional<Instant> rolling_back_since_;  // until a trainer trains again
  WallTime wall_{};
  uint64_t rollbacks_ = 0;
};

}  // namespace primus::master
