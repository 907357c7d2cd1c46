// Who is there, what each said last, and what each was told last.
//
// Gives every member its directive: when what is wanted of it changes, the directive gets the next
// sequence number and is due to be steered. An answer under an older attempt is no answer. Pure;
// owned by the master's core.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "primus/base/result.h"
#include "primus/member/roster.h"

namespace primus::wire {
class Directive;
class ReplicaStatus;
}  // namespace primus::wire

namespace primus::master {

struct Member {
  member::Seat seat;
  const wire::ReplicaStatus* status = nullptr;  // the newest answer under this attempt, or null
  const wire::Directive* directive = nullptr;   // the newest, or null
  bool acknowledged = false;                    // the status is at or past the directive
};

struct Steer {
  Incarnation incarnation = 0;
  std::string address;
};

class Rollcall {
 public:
  Rollcall(uint64_t attempt, Duration silence_max);
  ~Rollcall();

  // A report, or an answer to a steer. Returns the member's incarnation; kPermissionDenied when it
  // was declared lost; kAborted when the status names a later attempt: this master is superseded.
  Result<Incarnation> Hear(const wire::ReplicaStatus& status, Instant now);
  // Sets what is wanted; `sequence` and `incarnation` are filled in here.
  void Instruct(Incarnation incarnation, wire::Directive wanted);
  // Drops what is known of members that are gone, and returns the losses.
  std::vector<member::Loss> TakeLosses();
  // Members whose directive changed since the last call, to be steered.
  std::vector<Steer> TakeSteers();

  member::Roster& roster() { return roster_; }
  const member::Roster& roster() const { return roster_; }
  // All members of a kind, by replica.
  std::vector<Member> Members(member::RoleKind kind) const;
  std::vector<Member> Members() const;
  Member Get(Incarnation incarnation) const;  // must be there
  std::set<Incarnation> Incarnations(member::RoleKind kind) const;
  // Everybody has acknowledged the newest directive.
  bool AllAcknowledged() const;

 private:
  struct Entry;
  Member MemberOf(const member::Seat& seat) const;

  uint64_t attempt_;
  uint64_t next_sequence_ = 1;
  member::Roster roster_;
  std::map<Incarnation, Entry> entries_;
  std::set<Incarnation> due_;
};

}  // namespace primus::master
