// Who is there: the master's half of membership.
//
// A replica's seat is taken by one life at a time. Only the roster gives incarnations and declares
// a life lost: its container is gone, it was silent too long, or another life of the same replica
// registered. What is lost never comes back: its container is refused from then on. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "primus/base/ids.h"
#include "primus/base/result.h"
#include "primus/base/time.h"
#include "primus/member/session.h"

namespace primus::member {

struct Seat {
  ReplicaId replica;
  RoleKind kind = RoleKind::kExecutor;
  Incarnation incarnation = 0;
  std::string container;
  std::string rpc_address;
  std::string handover_address;
  Instant last_heard{};
};

enum class LossKind {
  kSilent,  // it does not answer: a failure of its own
  kFenced,  // its container is gone, or another life has its place
};

struct Loss {
  Seat seat;
  LossKind kind = LossKind::kFenced;
  std::string reason;  // "silent for 10 s", "its container is gone: killed by signal 9 (SIGKILL)"
};

class Roster {
 public:
  // Incarnations are numbered from `attempt` << 32.
  Roster(uint64_t attempt, Duration silence_max)
      : next_((attempt << 32) + 1), silence_max_(silence_max) {}

  // A sign of life. `seat.incarnation` is what the replica says (0: new). Returns the seat with its
  // incarnation; kPermissionDenied for a life that was declared lost.
  Result<Seat> Hear(Seat seat, Instant now);
  // The runtime says that a container ended.
  void ContainerGone(const std::string& container, const std::string& reason);
  // Another container of `replica` was launched: any other life of it is gone.
  void ContainerLaunched(const ReplicaId& replica, const std::string& container);
  // Declares those lost that were not heard since `now` - silence_max.
  void CheckSilence(Instant now);
  // Losses since the last call.
  std::vector<Loss> TakeLosses();

  // By replica, in order.
  const std::map<ReplicaId, Seat>& seats() const { return seats_; }
  const Seat* Find(Incarnation incarnation) const;

 private:
  void Lose(const ReplicaId& replica, LossKind kind, std::string reason);

  Incarnation next_;
  Duration silence_max_;
  std::map<ReplicaId, Seat> seats_;
  std::set<std::string> lost_;  // containers; one an ended life, so bounded by launches
  std::vector<Loss> losses_;
};

// The age of a container, from the run and launch at the end of its id: later ones are greater.
// "movielens/trainer-0/2.3" is launch 3 of run 2; 0 for other ids.
uint64_t LaunchOf(const std::string& container);

}  // namespace primus::member
