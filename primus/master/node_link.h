// The master's line to node (on a cluster: to the API server): the attempt, the containers, the
// Job's status. Loop thread only.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "primus/base/result.h"
#include "primus/env/environment.h"
#include "primus/master/core.h"
#include "primus/rpc/client.h"

namespace primus::wire {
class JobStatus;
class Object;
}  // namespace primus::wire

namespace primus::telemetry {
class Logger;
}

namespace primus::master {

class NodeLink {
 public:
  struct Callbacks {
    std::function<void(const std::vector<RunningContainer>&)> on_containers;
    std::function<void()> on_stop;
    // Another attempt has the job, or it is gone.
    std::function<void(Status)> on_superseded;
  };

  NodeLink(const env::Environment& environment, rpc::Network& network, const telemetry::Logger& log,
           std::string job, rpc::Address node);
  ~NodeLink();

  // Takes the next attempt by compare-and-swap on the Job's status; tries until it has one.
  void TakeAttempt(std::function<void(uint64_t)> done);
  // Watches containers and the user's wish to stop, from now on.
  void Observe(Callbacks callbacks);
  void Lose(const member::Loss& loss);
  // Changes the Job's status: reads it, applies `change`, writes it, again on conflict. Later
  // changes wait. `done` when it is written, or never when superseded.
  void UpdateStatus(std::function<void(wire::JobStatus*)> change, std::function<void()> done);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace primus::master
