// Node: the object store, the controller and the runtime of one work directory, behind one
// address.
//
// Serves objects to everyone and containers to the masters; runs the jobs that it was told to
// start. Whoever made it owns store, runtime and network, which all outlive it. Loop thread only.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "primus/api/object_store.h"
#include "primus/env/environment.h"
#include "primus/node/job_run.h"
#include "primus/node/object_service.h"
#include "primus/node/watched_store.h"
#include "primus/rpc/server.h"
#include "primus/runtime/runtime.h"
#include "primus/telemetry/logger.h"

namespace primus::node {

struct NodeOptions {
  std::string binary;           // of Primus, for its replicas
  std::string state_directory;  // "<work directory>/.primus"
  std::string run_directory;    // of this node's sockets; short, 0700
  std::string address;          // where it serves, "unix:<run directory>/node"
  std::function<void(const std::string& job)> on_job_over{};
};

class Node {
 public:
  Node(const JobRunWorld& world, rpc::Network& network, NodeOptions options);
  ~Node();

  // Serves, and marks jobs that an earlier node left running as suspended.
  Status Listen();

  // Runs a stored job, for the first time or again.
  Status StartJob(const std::string& name);
  // Save and stop; unknown jobs are ignored.
  void StopJob(const std::string& name);
  void StopJobNow(const std::string& name);
  bool has_running_jobs() const;
  // Why what was last to be written of the jobs is not: the object store is lost, and every job
  // was stopped, or its last write failed.
  const Status& store_failure() const { return store_.last_failure(); }

 private:
  void RegisterMasterMethods();
  JobRun* FindRun(const std::string& name);
  void OnStoreChange();
  void OnStoreLost(const Status& failure);
  Status SuspendLeftJobs();

  WatchedStore store_;
  const JobRunWorld world_;  // its store is `store_`
  const NodeOptions options_;
  std::map<std::string, std::unique_ptr<JobRun>> runs_;
  uint64_t started_ = 0;
  ObjectService objects_;
  rpc::Server server_;
  bool look_pending_ = false;
  std::shared_ptr<Node*> self_;  // for posted tasks; null once this is gone
};

}  // namespace primus::node
