// The container of a replica: the command line, environment and folders that it starts with.
#pragma once

#include <string>

#include "primus/orchestrate/controller.h"
#include "primus/runtime/runtime.h"

namespace primus::config {
class Job;
}

namespace primus::node {

// The folders and addresses of one job on this machine, all absolute.
struct JobPlaces {
  std::string binary;            // of Primus itself
  std::string job_file;          // the serialised config::Job that replicas read
  std::string run_directory;     // sockets of the job's processes
  std::string node_address;      // of node
  std::string storage{};         // spec.storage
  std::string job_folder{};      // where relative source paths start
  std::string work_directory{};  // programs start here
};

// Logs go into the storage: "<storage>/logs".
std::string LogDirectory(const JobPlaces& places);

// A master, ps, executor or trainer is this binary with its place in the job as arguments; a
// program is the command of its role. Both see PRIMUS_JOB, PRIMUS_ROLE, PRIMUS_INDEX,
// PRIMUS_REPLICAS and what the role's `env` adds.
runtime::ContainerSpec ReplicaCommand(const config::Job& job, const JobPlaces& places,
                                      const orchestrate::LaunchReplica& launch);

}  // namespace primus::node
