// What every replica process runs on: the real loop, threads, network and log, and the way it ends.
//
// SIGTERM and SIGINT end it with exit code 0: whoever stops a replica has made sure before that
// nothing is lost. Main thread only.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>

#include "apps/primus/replica.h"
#include "primus/base/result.h"
#include "primus/env/asio_loop.h"
#include "primus/env/environment.h"
#include "primus/env/system_random.h"
#include "primus/env/worker_pool.h"
#include "primus/rpc/grpc_network.h"
#include "primus/telemetry/logger.h"
#include "primus/telemetry/metrics.h"

namespace primus::config {
class Job;
}

namespace primus::apps {

class RoleProcess {
 public:
  RoleProcess(const ReplicaArguments& arguments, std::size_t threads);
  RoleProcess(const RoleProcess&) = delete;
  RoleProcess& operator=(const RoleProcess&) = delete;

  env::Environment environment() { return {.loop = loop_, .pool = *pool_, .random = random_}; }
  env::AsioLoop& loop() { return loop_; }
  rpc::Network& network() { return network_; }
  telemetry::Logger& log() { return log_; }

  // For the role's `on_end`.
  std::function<void(Status)> Ender();
  // Runs until the role ends or a signal comes; the process's exit code. `leave` may then tell the
  // pool's work to give up, which is waited for.
  int Run(const std::function<void()>& leave = [] {});
  // Ends Run with this exit code.
  void End(int exit_code);
  // The role could not even begin; its exit code.
  int Refuse(const Status& reason);

 private:
  env::AsioLoop loop_;
  std::optional<env::WorkerPool> pool_;  // until Run ends: its work uses what the role owns
  env::SystemRandom random_;
  telemetry::Registry metrics_;
  rpc::GrpcNetwork network_{loop_, metrics_};
  telemetry::Logger log_;
  std::optional<Status> ended_;
  std::optional<int> exit_code_;
};

// The accepted job that node wrote down for its replicas.
Result<config::Job> ReadJob(const ReplicaArguments& arguments);

}  // namespace primus::apps
