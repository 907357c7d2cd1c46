// The simulated runtime: a container is a process of the world, started after a while by the
// cluster's `start`. Launches fail, notices come late and kills come later than their notice, as
// `Faults` says.
#pragma once

#include <functional>
#include <map>
#include <set>
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
  // Reports the container of `process` as gone, as a machine that cannot be reached, while the
  // process lives on.
  void Disown(ProcessId process);
  // Processes whose containers were reported gone, and which live.
  const std::set<ProcessId>& disowned() const { return disowned_; }
  // Called for each process that is disowned. Replaces the former observer.
  void OnDisown(std::function<void(ProcessId)> observer) { on_disown_ = std::move(observer); }

 private:
  struct Entry {
    runtime::ContainerStatus status;
    ProcessId process = 0;  // 0 before its start
    int code = 137;
    bool disowned = false;
  };
  void Notice(const runtime::ContainerId& id, int code);

  World& world_;
  Faults& faults_;
  ProcessId owner_;
  Start start_;
  std::map<runtime::ContainerId, Entry> entries_;
  std::function<void()> observer_;
  std::function<void(ProcessId)> on_disown_;
  std::set<ProcessId> disowned_;
};

}  // namespace primus::sim
