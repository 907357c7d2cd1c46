#include "primus/member/roster.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace primus::member {

uint64_t LaunchOf(const std::string& container) {
  const std::size_t slash = container.rfind('/');
  const char* next = container.data() + (slash == std::string::npos ? 0 : slash + 1);
  const char* end = container.data() + container.size();
  uint64_t run = 0;
  uint64_t launch = 0;
  auto read = std::from_chars(next, end, run);
  if (read.ec != std::errc() || read.ptr == end || *read.ptr != '.') return 0;
  read = std::from_chars(read.ptr + 1, end, launch);
  return read.ec == std::errc() ? (run << 32) + launch : 0;
}

Result<Seat> Roster::Hear(Seat seat, Instant now) {
  const Status lost(StatusCode::kPermissionDenied,
                    "container " + seat.container + " was declared lost");
  if (lost_.contains(seat.container)) return lost;
  const auto it = seats_.find(seat.replica);
  const bool same_life = it != seats_.end() && it->second.container == seat.container;
  if (same_life && seat.incarnation != 0 && seat.incarnation != it->second.incarnation) {
    // A late word of an earlier master gave it another number. It will never take ours.
    Lose(seat.replica, LossKind::kFenced, "it goes by another incarnation");
    return lost;
  }
  if (same_life) {
    it->second.last_heard = now;
    it->second.rpc_address = seat.rpc_address;
    it->second.handover_address = seat.handover_address;
    return it->second;
  }
  if (it != seats_.end()) {
    // A late word of an older life must not push out a newer one.
    if (LaunchOf(seat.container) < LaunchOf(it->second.container)) {
      lost_.insert(seat.container);
      return lost;
    }
    Lose(seat.replica, LossKind::kFenced, "another life of it registered: " + seat.container);
  }
  if (seat.incarnation == 0) seat.incarnation = next_++;
  seat.last_heard = now;
  return seats_.insert_or_assign(seat.replica, std::move(seat)).first->second;
}

void Roster::ContainerGone(const std::string& container, const std::string& reason) {
  if (!lost_.insert(container).second) return;
  for (const auto& [replica, seat] : seats_) {
    if (seat.container != container) continue;
    Lose(ReplicaId(replica), LossKind::kFenced, "its container is gone: " + reason);
    return;
  }
}

void Roster::ContainerLaunched(const ReplicaId& replica, const std::string& container) {
  const auto it = seats_.find(replica);
  if (it == seats_.end() || it->second.container == container) return;
  if (LaunchOf(it->second.container) >= LaunchOf(container)) return;
  Lose(replica, LossKind::kFenced, "it was launched again: " + container);
}

void Roster::CheckSilence(Instant now) {
  std::vector<ReplicaId> silent;
  for (const auto& [replica, seat] : seats_) {
    if (now - seat.last_heard >= silence_max_) silent.push_back(replica);
  }
  const std::string seconds = std::to_string(ToMilliseconds(silence_max_) / 1000);
  for (const ReplicaId& replica : silent)
    Lose(replica, LossKind::kSilent, "silent for " + seconds + " s");
}

void Roster::Lose(const ReplicaId& replica, LossKind kind, std::string reason) {
  const auto node = seats_.extract(replica);
  lost_.insert(node.mapped().container);
  losses_.push_back({node.mapped(), kind, std::move(reason)});
}

std::vector<Loss> Roster::TakeLosses() { return std::exchange(losses_, {}); }

const Seat* Roster::Find(Incarnation incarnation) const {
  const auto it = std::find_if(seats_.begin(), seats_.end(), [incarnation](const auto& entry) {
    return entry.second.incarnation == incarnation;
  });
  return it == seats_.end() ? nullptr : &it->second;
}

}  // namespace primus::member
