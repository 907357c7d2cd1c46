// The simulated hand-over: channels in memory between processes of one world. What one side does
// reaches the other's loop after a small delay; a death closes the other side.
#pragma once

#include <memory>

#include "primus/handover/handover.h"
#include "primus/sim/world.h"

namespace primus::sim {

class Channels {
 public:
  explicit Channels(World& world);
  ~Channels();

  std::unique_ptr<handover::Handover> HandoverOf(ProcessId process);
  // Closes the channels of a process that died; call it from World::OnDeath.
  void OnDeath(ProcessId process);

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace primus::sim
