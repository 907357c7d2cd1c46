// What the controller wants of a job: its roles as values, with every default filled in.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "primus/base/result.h"
#include "primus/base/time.h"
#include "primus/jobspec/roles.h"

namespace primus::config {
class Job;
}

namespace primus::orchestrate {

enum class RestartWhen { kFailure, kAlways, kNever };

// When a role of programs has done its work.
struct AllSucceed {};
struct AnySucceeds {};
struct ReplicaSucceeds {
  uint32_t index = 0;
};
using SuccessRule = std::variant<AllSucceed, AnySucceeds, ReplicaSucceeds>;

// Failures that a replica may have before its job fails.
struct RestartBudget {
  uint32_t limit = 10;
  Duration within = Seconds(600);
};

struct RolePlan {
  std::string name;
  jobspec::RoleKind kind = jobspec::RoleKind::kProgram;
  uint32_t replicas = 1;
  RestartWhen when = RestartWhen::kFailure;
  RestartBudget budget{};
  SuccessRule success{};
};

struct JobPlan {
  std::string name;
  uint64_t run = 1;  // how many times node has started the job; part of every container's id
  std::vector<RolePlan> roles{};

  bool has_master() const {
    return !roles.empty() && roles.front().kind == jobspec::RoleKind::kMaster;
  }
};

// The plan of a checked job. A job with ps, executor or trainer roles gets a master in front,
// which decides when the job is done.
Result<JobPlan> PlanJob(const config::Job& job, uint64_t run);

}  // namespace primus::orchestrate
