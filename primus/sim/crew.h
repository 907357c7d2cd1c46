// The replicas of a job: the real shells of all roles, one to a process, on simulated means.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "primus/member/session.h"
#include "primus/runtime/runtime.h"
#include "primus/sim/cluster_options.h"
#include "primus/sim/handover.h"
#include "primus/sim/network.h"
#include "primus/sim/store.h"
#include "primus/telemetry/logger.h"

namespace primus::sim {

class Crew {
 public:
  struct Means {
    World& world;
    Net& net;
    Channels& channels;
    Blobs& blobs;
    telemetry::Sink log;
    // A shell ends by itself.
    std::function<void(ProcessId process, int code)> on_exit;
  };

  Crew(Means means, const ClusterOptions& options);
  ~Crew();

  // Makes the shell of the container's role inside `process`.
  void Start(ProcessId process, const runtime::ContainerSpec& spec);
  // The process died: its shell goes.
  void Remove(ProcessId process);

  bool empty() const { return replicas_.empty(); }
  std::vector<ProcessId> Processes() const;
  std::vector<ProcessId> Processes(const std::string& role) const;

 private:
  struct Replica;
  struct Place;

  void StartMaster(Replica& replica, ProcessId process);
  void StartExecutor(Replica& replica, ProcessId process, const Place& place);
  void StartTrainer(Replica& replica, ProcessId process, const Place& place);
  void StartPs(Replica& replica, ProcessId process, const Place& place);
  static member::SessionOptions SessionOf(const Place& place, member::RoleKind kind);
  std::function<void(Status)> EndOf(ProcessId process) const;

  Means means_;
  ClusterOptions options_;
  std::map<ProcessId, Replica> replicas_;
};

}  // namespace primus::sim
