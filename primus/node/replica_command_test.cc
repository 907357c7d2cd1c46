#include "primus/node/replica_command.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "proto/config/job.pb.h"

namespace primus::node {
namespace {

const JobPlaces kPlaces{.binary = "/bin/primus",
                        .job_file = "/w/.primus/jobs/j/job.pb",
                        .run_directory = "/r/1",
                        .node_address = "unix:/r/node",
                        .storage = "/w/runs/j",
                        .work_directory = "/w"};

config::Job MakeJob() {
  config::Job job;
  job.mutable_metadata()->set_name("j");
  config::Role* role = job.mutable_spec()->add_roles();
  role->set_name("worker");
  role->set_replicas(3);
  role->mutable_program()->add_command("python");
  role->mutable_program()->add_command("train.py");
  config::EnvVar* variable = role->add_env();
  variable->set_name("MODE");
  variable->set_value("fast");
  return job;
}

TEST(ReplicaCommandTest, ProgramIsItsCommandInTheWorkDirectory) {
  const auto spec = ReplicaCommand(MakeJob(), kPlaces,
                                   {.replica = {"worker", 2},
                                    .kind = jobspec::RoleKind::kProgram,
                                    .container = "j/worker-2/1.1"});
  EXPECT_EQ(spec.command, (std::vector<std::string>{"python", "train.py"}));
  EXPECT_EQ(spec.environment.at("MODE"), "fast");
  EXPECT_EQ(spec.environment.at("PRIMUS_ROLE"), "worker");
  EXPECT_EQ(spec.environment.at("PRIMUS_INDEX"), "2");
  EXPECT_EQ(spec.environment.at("PRIMUS_REPLICAS"), "3");
  EXPECT_EQ(spec.working_directory, "/w");
  EXPECT_EQ(spec.log_directory, "/w/runs/j/logs");
}

TEST(ReplicaCommandTest, MasterIsThisBinaryWithItsPlaceInTheJob) {
  const auto spec = ReplicaCommand(MakeJob(), kPlaces,
                                   {.replica = {"master", 0},
                                    .kind = jobspec::RoleKind::kMaster,
                                    .container = "j/master-0/1.1"});
  EXPECT_EQ(spec.command[0], "/bin/primus");
  EXPECT_EQ(spec.command[1], "replica");
  const auto value_of = [&](const std::string& option) {
    const auto it = std::find(spec.command.begin(), spec.command.end(), option);
    return it == spec.command.end() ? "" : *std::next(it);
  };
  EXPECT_EQ(value_of("--kind"), "master");
  EXPECT_EQ(value_of("--container"), "j/master-0/1.1");
  EXPECT_EQ(value_of("--run-directory"), "/r/1");
  EXPECT_EQ(value_of("--node"), "unix:/r/node");
  EXPECT_EQ(value_of("--storage"), "/w/runs/j");
}

}  // namespace
}  // namespace primus::node
