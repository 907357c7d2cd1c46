// A task as the master leased it to this executor, and the master's answer to a request for more.
//
// Translated from the wire and checked once, at the border. Values.
#pragma once

#include <cstdint>
#include <vector>

#include "primus/base/ids.h"
#include "primus/base/result.h"
#include "primus/batch/interval_set.h"
#include "primus/data/row_stream.h"

namespace primus::wire {
class LeaseResponse;
}

namespace primus::executor {

struct LeasedTask {
  data::TaskPlan plan;
  data::PhaseScope scope;
  Generation generation = 0;
  batch::IntervalSet done;  // positions that are accounted for already
};

struct LeaseAnswer {
  enum class State {
    kGranted,
    kWait,     // nothing now
    kDrained,  // this phase has no free task: what is left goes out as a short batch
  };
  State state = State::kWait;
  std::vector<LeasedTask> tasks;  // of kGranted
};

// kInternal when the answer is not one that a master of this build gives.
Result<LeaseAnswer> ReadLeaseAnswer(const wire::LeaseResponse& response);

}  // namespace primus::executor
