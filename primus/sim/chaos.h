// What goes wrong in one run: everything drawn from the seed. Kills, stops and partitions for a
// while, then calm, in which the job must end.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "primus/base/result.h"
#include "primus/sim/cluster.h"

namespace primus::sim {

struct RunReport {
  Status status;  // why the run failed
  std::string ending;
  uint64_t hash = 0;
  uint64_t events = 0;
  Duration virtual_time{0};
  uint64_t rollbacks = 0;
  std::map<std::string, uint64_t> hits;  // by kind of fault
  std::vector<std::string> tail;         // of the log
};

// One whole job under the faults that `seed` draws, with all oracles.
RunReport RunSeed(uint64_t seed);

}  // namespace primus::sim
