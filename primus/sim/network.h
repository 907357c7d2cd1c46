// The simulated network: messages are delayed, dropped, doubled, reordered and cut off between
// processes, as `Faults` and the test say. Delivers to live processes only; to a stopped one when
// it is continued.
#pragma once

#include <memory>

#include "primus/rpc/network.h"
#include "primus/sim/faults.h"
#include "primus/sim/world.h"

namespace primus::sim {

class Net {
 public:
  Net(World& world, Faults& faults);
  ~Net();

  // The network as `process` sees it; it must not outlive this Net.
  std::unique_ptr<rpc::Network> NetworkOf(ProcessId process);
  // No message passes between the two, either way, for `duration`.
  void Partition(ProcessId a, ProcessId b, Duration duration);
  // Ends the calls to a process that died; call it from World::OnDeath.
  void OnDeath(ProcessId process);

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace primus::sim
