// A row is in one step only: of two pushes that a ps acknowledges between two restores, no position
// is in both, unless they are the same step of the same trainer.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "primus/base/ids.h"
#include "primus/sim/verdict.h"
#include "primus/sim/world.h"

namespace primus::wire {
class PushRequest;
class ReplicaStatus;
}  // namespace primus::wire

namespace primus::sim {

class PushOracle {
 public:
  explicit PushOracle(Verdict& verdict) : verdict_(verdict) {}

  void OnStatus(ProcessId process, const wire::ReplicaStatus& status);
  void OnAcknowledged(ProcessId ps, const wire::PushRequest& request);

 private:
  using Step = std::pair<Incarnation, uint64_t>;
  struct Span {
    uint64_t end = 0;
    Step step;
  };
  struct Ps {
    uint64_t restored_view = 0;
    std::map<TaskId, std::map<uint64_t, Span>> spans;  // by begin
  };

  Verdict& verdict_;
  std::map<ProcessId, Ps> ps_;
};

}  // namespace primus::sim
