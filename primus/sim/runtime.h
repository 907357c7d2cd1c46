// The simulated runtime: a container is a process of the world, started after a while by the
// cluster's `start`. Launches fail and notices come late as `Faults` says.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "primus/runtime/runtime.h"
#include "primus/sim/faults.h"
#include "primus/sim/world.h"

namespace primus::sim {

class Containers final : public runtime::Runtime {
 public:
  // Makes the shell of the container's role inside `process`.
  using Start = std::function<void(ProcessId process, const runtime::ContainerSpec&)>;

  // `owner` is the process that launches (node): its death ends all containers.
  Containers(World& world, Faults& faults, ProcessId owner, Start start);

  Status Launch(const runtime::ContainerSpec& spec) override;
  void Stop(const runtime::ContainerId& id, runtime::StopMode mode) override;
  std::vector<runtime::ContainerStatus> List() const override;
  void Forget(const runtime::ContainerId& id) override;
  void OnChange(std::function<void()> observer) override;

  // A process of a container died; call it from World::OnDeath.
  void OnDeath(ProcessId process);
  // A container's process ends by itself with `code`.
  void Exit(ProcessId process, int code);

 private:
  struct Entry {
    runtime::ContainerStatus status;
    ProcessId process = 0;  // 0 before its start
    int code = 137;
  };
  void Notice(const runtime::ContainerId& id, int code);

  World& world_;
  Faults& faults_;
  ProcessId owner_;
  Start start_;
  std::map<runtime::ContainerId, Entry> entries_;
  std::function<void()> observer_;
};

}  // namespace primus::sim
