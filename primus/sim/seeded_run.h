// One whole job under the faults that a seed draws, with all oracles.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "primus/base/result.h"
#include "primus/base/time.h"
#include "primus/sim/faults.h"

namespace primus::sim {

struct RunReport {
  Status status;  // why the run failed
  std::string ending;
  uint64_t hash = 0;
  uint64_t events = 0;
  Duration virtual_time{0};
  uint64_t rollbacks = 0;
  Tally::Counts hits;
  std::vector<std::string> tail;  // of the log
};

// `log` receives every line, as it is written; it may be empty.
RunReport RunSeed(uint64_t seed, const std::function<void(std::string_view)>& log);

}  // namespace primus::sim
