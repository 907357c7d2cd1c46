#include "primus/orchestrate/job_plan.h"

#include "primus/config/duration.h"

#include "proto/config/job.pb.h"

namespace primus::orchestrate {
namespace {

using jobspec::RoleKind;

RestartWhen WhenOf(const config::Restart& restart) {
  if (restart.when() == config::Always) return RestartWhen::kAlways;
  if (restart.when() == config::Never) return RestartWhen::kNever;
  return RestartWhen::kFailure;
}

SuccessRule SuccessOf(const config::Success& success) {
  if (success.rule_case() == config::Success::kAny) return AnySucceeds{};
  if (success.rule_case() == config::Success::kReplica) return ReplicaSucceeds{success.replica()};
  return AllSucceed{};
}

}  // namespace

Result<JobPlan> PlanJob(const config::Job& job, uint64_t run) {
  JobPlan plan{.name = job.metadata().name(), .run = run};
  bool needs_master = false;
  for (const config::Role& role : job.spec().roles()) {
    RolePlan planned{
        .name = role.name(), .kind = jobspec::KindOf(role), .replicas = role.replicas()};
    planned.when = WhenOf(role.restart());
    planned.success = SuccessOf(role.success());
    if (role.has_restart()) planned.budget.limit = role.restart().limit();
    if (!role.restart().within().empty()) {
      PRIMUS_ASSIGN(planned.budget.within, config::ParseDuration(role.restart().within()));
    }
    needs_master = needs_master || planned.kind != RoleKind::kProgram;
    plan.roles.push_back(std::move(planned));
  }
  if (needs_master) {
    plan.roles.insert(plan.roles.begin(), RolePlan{.name = "master", .kind = RoleKind::kMaster});
  }
  return plan;
}

}  // namespace primus::orchestrate
