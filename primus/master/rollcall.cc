#include "primus/master/rollcall.h"

#include <algorithm>
#include <utility>

#include "proto/wire/control.pb.h"

namespace primus::master {

struct Rollcall::Entry {
  wire::ReplicaStatus status;
  bool answered = false;  // under this attempt
  wire::Directive directive;
  bool instructed = false;
};

Rollcall::Rollcall(uint64_t attempt, Duration silence_max)
    : attempt_(attempt), roster_(attempt, silence_max) {}

Rollcall::~Rollcall() = default;

Result<Incarnation> Rollcall::Hear(const wire::ReplicaStatus& status, Instant now) {
  if (status.stamp().attempt() > attempt_) {
    return AbortedError("attempt " + std::to_string(status.stamp().attempt()) +
                        " has taken over from attempt " + std::to_string(attempt_));
  }
  member::Seat seat;
  seat.replica = {status.replica().role(), status.replica().index()};
  seat.kind = static_cast<member::RoleKind>(status.kind());
  seat.incarnation = status.incarnation();
  seat.container = status.container();
  seat.rpc_address = status.rpc_address();
  seat.handover_address = status.handover_address();
  PRIMUS_ASSIGN(seat, roster_.Hear(std::move(seat), now));
  Entry& entry = entries_[seat.incarnation];
  const bool ours = status.stamp().attempt() == attempt_ && status.incarnation() != 0;
  const bool newer = !entry.answered || status.sequence() >= entry.status.sequence();
  if (ours && newer) {
    entry.status = status;
    entry.answered = true;
  }
  return seat.incarnation;
}

void Rollcall::Instruct(Incarnation incarnation, wire::Directive wanted) {
  Entry& entry = entries_[incarnation];
  wanted.set_incarnation(incarnation);
  // Compared under the sequence and acknowledgement of the last one: a mere acknowledgement makes
  // a newer directive, but is in no hurry.
  const uint64_t acked = wanted.acked_increment();
  wanted.set_sequence(entry.directive.sequence());
  wanted.set_acked_increment(entry.directive.acked_increment());
  const bool changed =
      !entry.instructed || wanted.SerializeAsString() != entry.directive.SerializeAsString();
  if (!changed && acked == wanted.acked_increment()) return;
  wanted.set_acked_increment(acked);
  wanted.set_sequence(next_sequence_++);
  entry.directive = std::move(wanted);
  entry.instructed = true;
  if (changed) due_.insert(incarnation);
}

std::vector<member::Loss> Rollcall::TakeLosses() {
  std::vector<member::Loss> losses = roster_.TakeLosses();
  for (const member::Loss& loss : losses) {
    entries_.erase(loss.seat.incarnation);
    due_.erase(loss.seat.incarnation);
  }
  return losses;
}

std::vector<Steer> Rollcall::TakeSteers() {
  std::vector<Steer> steers;
  for (const Incarnation incarnation : std::exchange(due_, {})) {
    const member::Seat* seat = roster_.Find(incarnation);
    if (seat != nullptr) steers.push_back({incarnation, seat->rpc_address});
  }
  return steers;
}

Member Rollcall::MemberOf(const member::Seat& seat) const {
  Member found{.seat = seat};
  const auto it = entries_.find(seat.incarnation);
  if (it == entries_.end()) return found;
  const Entry& entry = it->second;
  if (entry.answered) found.status = &entry.status;
  if (entry.instructed) found.directive = &entry.directive;
  found.acknowledged = entry.answered && entry.instructed && !due_.contains(seat.incarnation) &&
                       entry.status.sequence() >= entry.directive.sequence();
  return found;
}

std::vector<Member> Rollcall::Members(member::RoleKind kind) const {
  std::vector<Member> members = Members();
  std::erase_if(members, [kind](const Member& m) { return m.seat.kind != kind; });
  return members;
}

std::vector<Member> Rollcall::Members() const {
  std::vector<Member> members;
  for (const auto& [replica, seat] : roster_.seats()) members.push_back(MemberOf(seat));
  return members;
}

Member Rollcall::Get(Incarnation incarnation) const {
  const member::Seat* seat = roster_.Find(incarnation);
  PRIMUS_CHECK(seat != nullptr, "a member that is there");
  return MemberOf(*seat);
}

std::set<Incarnation> Rollcall::Incarnations(member::RoleKind kind) const {
  std::set<Incarnation> incarnations;
  for (const Member& m : Members(kind)) incarnations.insert(m.seat.incarnation);
  return incarnations;
}

bool Rollcall::AllAcknowledged() const {
  const std::vector<Member> members = Members();
  return std::all_of(members.begin(), members.end(),
                     [](const Member& m) { return m.acknowledged; });
}

}  // namespace primus::master
