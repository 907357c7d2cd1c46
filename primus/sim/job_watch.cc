#include "primus/sim/job_watch.h"

#include <algorithm>

#include "proto/wire/control.pb.h"

namespace primus::sim {

std::string NameOf(JobState state) {
  constexpr const char* kNames[kJobStates] = {"no master", "asking", "fenced", "restore", "run",
                                              "hold",      "freeze", "write",  "commit",  "leave"};
  return kNames[static_cast<int>(state)];
}

void JobWatch::OnDirective(ProcessId master, const wire::Directive& directive) {
  const Stamp stamp{directive.stamp().attempt(), directive.stamp().view(), directive.stamp().cut()};
  if (stamp.attempt < stamp_.attempt) return;
  master_ = master;
  const JobState next = StateIn(directive);
  if (stamp.cut != stamp_.cut || stamp.attempt != stamp_.attempt) written_.clear();
  stamp_ = stamp;
  Enter(next);
}

JobState JobWatch::StateIn(const wire::Directive& directive) const {
  const wire::Stamp& stamp = directive.stamp();
  const bool same_view = stamp.attempt() == stamp_.attempt && stamp.view() == stamp_.view;
  switch (directive.mode()) {
    case wire::ATTACH:
      return JobState::kAsking;
    case wire::FENCED:
      // While ps restore, all others stay fenced.
      return state_ == JobState::kRestore && same_view ? state_ : JobState::kFenced;
    case wire::RESTORE:
      return JobState::kRestore;
    case wire::RUN:
      break;
    default:
      return JobState::kLeave;
  }
  if (directive.cut_stage() == wire::HOLD) return JobState::kHold;
  if (directive.cut_stage() == wire::FREEZE) return JobState::kFreeze;
  const bool writes =
      state_ == JobState::kFreeze || state_ == JobState::kWrite || state_ == JobState::kCommit;
  const bool same_cut = stamp.attempt() == stamp_.attempt && stamp.cut() == stamp_.cut;
  if (!writes || !same_cut || directive.saved_cut() >= stamp.cut()) return JobState::kRun;
  return state_ == JobState::kFreeze ? JobState::kWrite : state_;
}

void JobWatch::OnStatus(const wire::ReplicaStatus& status) {
  const bool wrote = status.kind() == wire::PS && status.ps().parts_size() > 0 &&
                     status.stamp().attempt() == stamp_.attempt &&
                     status.ps().frozen_cut() == stamp_.cut;
  if (wrote) written_.insert(status.incarnation());
  if (state_ == JobState::kWrite && written_.size() >= ps_) Enter(JobState::kCommit);
}

void JobWatch::OnDeath(ProcessId process) {
  if (process == master_) Enter(JobState::kNoMaster);
}

void JobWatch::Enter(JobState state) {
  if (state_ == state) return;
  state_ = state;
  if (on_enter_) on_enter_(state);
}

}  // namespace primus::sim
