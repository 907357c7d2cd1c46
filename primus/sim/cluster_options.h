// The job that a cluster runs, and how much harm its world does.
#pragma once

#include <cstdint>
#include <string_view>

#include "primus/sim/counted_rows.h"
#include "primus/sim/faults.h"

namespace primus::sim {

inline constexpr std::string_view kJobName = "counter";
inline constexpr uint64_t kTaskRowsMax = 50;

struct ClusterOptions {
  uint64_t seed = 1;
  uint32_t ps = 2;
  uint32_t trainers = 2;
  uint32_t executors = 2;
  uint32_t passes = 2;
  uint32_t batch_size = 16;
  CountedDataOptions data;
  Duration save_every = Milliseconds(300);
  uint32_t restarts_max = 100000;  // the world does more harm than a job should take
  Faults faults;
};

}  // namespace primus::sim
