#include "primus/node/replica_command.h"

#include "primus/jobspec/roles.h"

#include "proto/config/job.pb.h"

namespace primus::node {
namespace {

const config::Role* FindRole(const config::Job& job, const std::string& name) {
  for (const config::Role& role : job.spec().roles()) {
    if (role.name() == name) return &role;
  }
  return nullptr;  // the master stands in no job file
}

std::vector<std::string> OwnCommand(const JobPlaces& places,
                                    const orchestrate::LaunchReplica& launch) {
  return {places.binary,      "replica",
          "--kind",           std::string(jobspec::NameOf(launch.kind)),
          "--role",           launch.replica.role,
          "--index",          std::to_string(launch.replica.index),
          "--container",      launch.container,
          "--job-file",       places.job_file,
          "--run-directory",  places.run_directory,
          "--node",           places.node_address,
          "--storage",        places.storage,
          "--job-folder",     places.job_folder,
          "--work-directory", places.work_directory};
}

}  // namespace

std::string LogDirectory(const JobPlaces& places) { return places.storage + "/logs"; }

runtime::ContainerSpec ReplicaCommand(const config::Job& job, const JobPlaces& places,
                                      const orchestrate::LaunchReplica& launch) {
  const config::Role* role = FindRole(job, launch.replica.role);
  runtime::ContainerSpec spec{.id = launch.container,
                              .working_directory = places.work_directory,
                              .log_directory = LogDirectory(places)};
  spec.environment = {{"PRIMUS_JOB", job.metadata().name()},
                      {"PRIMUS_ROLE", launch.replica.role},
                      {"PRIMUS_INDEX", std::to_string(launch.replica.index)},
                      {"PRIMUS_REPLICAS", std::to_string(role == nullptr ? 1 : role->replicas())}};
  if (role != nullptr) {
    for (const config::EnvVar& variable : role->env()) {
      spec.environment[variable.name()] = variable.value();
    }
  }
  if (launch.kind == jobspec::RoleKind::kProgram && role != nullptr) {
    spec.command.assign(role->program().command().begin(), role->program().command().end());
  } else {
    spec.command = OwnCommand(places, launch);
  }
  return spec;
}

}  // namespace primus::node
