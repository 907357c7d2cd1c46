// The state of a job as the world sees it: what its newest master orders, and how far its cut is.
// Says where a fault struck, and when an ambush is due.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>

#include "primus/base/ids.h"
#include "primus/sim/world.h"

namespace primus::wire {
class Directive;
class ReplicaStatus;
}  // namespace primus::wire

namespace primus::sim {

enum class JobState {
  kNoMaster,
  kAsking,   // a new master has its attempt acknowledged and reads the records
  kFenced,   // a rollback gathers everybody
  kRestore,  // ps load the save point
  kRun,      // without a cut
  kHold,
  kFreeze,
  kWrite,   // all are frozen; parts are being written
  kCommit,  // all parts are there; the manifest is being put
  kLeave,
};
inline constexpr int kJobStates = 10;
std::string NameOf(JobState state);

class JobWatch {
 public:
  explicit JobWatch(uint32_t ps) : ps_(ps) {}

  // Called on each change. Replaces the former observer.
  void OnEnter(std::function<void(JobState)> observer) { on_enter_ = std::move(observer); }

  void OnDirective(ProcessId master, const wire::Directive& directive);
  void OnStatus(const wire::ReplicaStatus& status);
  void OnDeath(ProcessId process);

  JobState state() const { return state_; }
  uint64_t attempt() const { return stamp_.attempt; }

 private:
  JobState StateIn(const wire::Directive& directive) const;
  void Enter(JobState state);

  uint32_t ps_;
  std::function<void(JobState)> on_enter_;
  JobState state_ = JobState::kNoMaster;
  ProcessId master_ = 0;
  Stamp stamp_;                    // of the newest directive
  std::set<Incarnation> written_;  // ps whose parts of the cut are there
};

}  // namespace primus::sim
