// What the states of a role's replicas say about the role.
#pragma once

#include <vector>

#include "primus/orchestrate/job_plan.h"

namespace primus::orchestrate {

enum class ReplicaState {
  kWaiting,  // to be launched, perhaps after a back-off
  kRunning,
  kSucceeded,  // done; not launched again
  kFailed,     // given up
};

enum class RoleOutcome { kOpen, kSucceeded, kFailed };

// kFailed as soon as success is out of reach.
RoleOutcome JudgeRole(const SuccessRule& rule, const std::vector<ReplicaState>& replicas);

}  // namespace primus::orchestrate
