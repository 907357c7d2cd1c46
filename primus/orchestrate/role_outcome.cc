#include "primus/orchestrate/role_outcome.h"

#include <algorithm>

namespace primus::orchestrate {
namespace {

struct Judge {
  const std::vector<ReplicaState>& replicas;

  bool All(ReplicaState state) const {
    return std::all_of(replicas.begin(), replicas.end(),
                       [=](ReplicaState s) { return s == state; });
  }
  bool Any(ReplicaState state) const {
    return std::find(replicas.begin(), replicas.end(), state) != replicas.end();
  }
  static RoleOutcome Choose(bool succeeded, bool failed) {
    if (succeeded) return RoleOutcome::kSucceeded;
    return failed ? RoleOutcome::kFailed : RoleOutcome::kOpen;
  }

  RoleOutcome operator()(AllSucceed) const {
    return Choose(All(ReplicaState::kSucceeded), Any(ReplicaState::kFailed));
  }
  RoleOutcome operator()(AnySucceeds) const {
    return Choose(Any(ReplicaState::kSucceeded), All(ReplicaState::kFailed));
  }
  RoleOutcome operator()(ReplicaSucceeds rule) const {
    if (rule.index >= replicas.size()) return RoleOutcome::kFailed;
    const ReplicaState state = replicas[rule.index];
    return Choose(state == ReplicaState::kSucceeded, state == ReplicaState::kFailed);
  }
};

}  // namespace

RoleOutcome JudgeRole(const SuccessRule& rule, const std::vector<ReplicaState>& replicas) {
  return std::visit(Judge{replicas}, rule);
}

}  // namespace primus::orchestrate
