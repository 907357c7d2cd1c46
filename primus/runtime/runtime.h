// Launches and stops containers: the seam to a machine or a cluster.
//
// A container is one life of one replica; its id is never used again. Level-triggered: `List` is
// the truth, `OnChange` only says that it may differ. Implementations: plugins/runtimes/local
// (process groups) and the simulator's; both pass runtime_conformance.h. Loop thread only.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "primus/base/ids.h"
#include "primus/base/result.h"
#include "primus/base/time.h"

namespace primus::runtime {

using ContainerId = std::string;  // "movielens/trainer-0/3"

struct ContainerSpec {
  ContainerId id{};
  std::vector<std::string> command{};
  std::map<std::string, std::string> environment{};  // beside the parent's own
  std::string working_directory{};
  std::string log_directory{};  // standard output and error go to <id's last parts>.out and .err
};

enum class ContainerState { kRunning, kExited };

struct ContainerStatus {
  ContainerId id{};
  ContainerState state = ContainerState::kRunning;
  int exit_code = 0;     // 128 + signal when a signal ended it, as in a shell
  std::string reason{};  // in words: "exited with code 2", "killed by signal 9 (SIGKILL)"
};

enum class StopMode {
  kGraceful,   // SIGTERM to the whole group, SIGKILL to it after the grace time
  kImmediate,  // SIGKILL to the whole group
};

class Runtime {
 public:
  virtual ~Runtime() = default;
  // kAlreadyExists if the id was ever used. An error means that nothing runs.
  virtual Status Launch(const ContainerSpec& spec) = 0;
  // Idempotent; unknown ids are ignored. The exit shows in List.
  virtual void Stop(const ContainerId& id, StopMode mode) = 0;
  // All containers launched here and not forgotten.
  virtual std::vector<ContainerStatus> List() const = 0;
  // Drops an exited container from List.
  virtual void Forget(const ContainerId& id) = 0;
  // Called on the loop after any change of List. Replaces the former observer.
  virtual void OnChange(std::function<void()> observer) = 0;
};

}  // namespace primus::runtime
