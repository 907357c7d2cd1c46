// The phases of a job, in order: training passes, hold-out, progressive. Each ends with a save
// point. Values.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "primus/base/time.h"
#include "primus/batch/minibatch.h"

namespace primus::config {
class Job;
}

namespace primus::jobspec {

struct Phase {
  batch::Purpose purpose = batch::Purpose::kTrain;
  uint32_t pass = 0;  // ordinal of the sweep over the data; each phase is one
  // Rows of event time, inside their window, in [from, to); unbounded where absent.
  std::optional<WallTime> from{};
  std::optional<WallTime> to{};
  uint32_t batch_rows = 0;  // rows of a step, or of a progressive block
  bool shuffle = false;
  bool alone = false;  // one executor and one trainer at a time, tasks in order
};

// Of a checked job; none if it trains nothing.
std::vector<Phase> PhasesOf(const config::Job& job);

}  // namespace primus::jobspec
