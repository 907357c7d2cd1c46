// The numbers that name lives, memberships and instants of a job.
//
// `Stamp` travels in every data-plane message and orders lexicographically: a receiver refuses
// anything lower than what it has seen. `Incarnation` is one life of one replica; 0 is nobody.
#pragma once

#include <compare>
#include <cstdint>
#include <string>

namespace primus {

using Incarnation = uint64_t;
using TaskId = uint64_t;
using Generation = uint64_t;

struct Stamp {
  uint64_t attempt = 0;  // one life of the master
  uint64_t view = 0;     // numbered membership and routing
  uint64_t cut = 0;      // the newest cut taken
  auto operator<=>(const Stamp&) const = default;
};

// "a3.v7.c2"
inline std::string ToString(const Stamp& stamp) {
  return "a" + std::to_string(stamp.attempt) + ".v" + std::to_string(stamp.view) + ".c" +
         std::to_string(stamp.cut);
}

// A member of a role by index: "trainer-0".
struct ReplicaId {
  std::string role;
  uint32_t index = 0;
  auto operator<=>(const ReplicaId&) const = default;
};

inline std::string ToString(const ReplicaId& replica) {
  return replica.role + "-" + std::to_string(replica.index);
}

}  // namespace primus
