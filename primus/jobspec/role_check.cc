#include <array>
#include <map>
#include <string>

#include "primus/config/quantity.h"
#include "primus/jobspec/job_check.h"
#include "primus/jobspec/model_plan.h"
#include "primus/jobspec/roles.h"

#include "proto/config/job.pb.h"

namespace primus::jobspec {
namespace {

constexpr std::array kTrainingKinds = {RoleKind::kPs, RoleKind::kExecutor, RoleKind::kTrainer};

std::string PathOf(const config::Role& role) { return "spec.roles[" + role.name() + "]"; }

// Each kind that trains once, and only beside something to train.
void CheckKinds(JobRules* rules) {
  const config::JobSpec& spec = rules->job().spec();
  const bool trains = spec.has_model() || spec.has_data();
  // Of a job that has one without the other, that is said already.
  const bool complete = spec.has_model() && spec.has_data();
  std::map<RoleKind, const config::Role*> first;
  for (const config::Role& role : spec.roles()) {
    const RoleKind kind = KindOf(role);
    if (kind == RoleKind::kProgram) continue;
    const std::string name(NameOf(kind));
    const auto [it, added] = first.emplace(kind, &role);
    if (!added) {
      rules->Refuse(PathOf(role), "expected one role of kind " + name + ", got another; first at " +
                                      rules->Place(PathOf(*it->second)));
    } else if (!trains) {
      rules->Refuse(PathOf(role) + "." + name,
                    "expected spec.data and spec.model for it, got neither");
    }
  }
  if (!complete) return;
  for (const RoleKind kind : kTrainingKinds) {
    if (first.contains(kind)) continue;
    const std::string name(NameOf(kind));
    rules->Refuse("spec.roles", "expected a role with " + name + ": {}, got none");
  }
}

// Named apart from what the job file can hold later, so that nobody takes it for a wrong value.
void CheckCounts(JobRules* rules) {
  const config::JobSpec& spec = rules->job().spec();
  for (const RoleKind kind : kTrainingKinds) {
    const config::Role* role = FindRole(rules->job(), kind);
    if (role == nullptr) continue;
    const std::string got = ", got " + std::to_string(role->replicas());
    const std::string path = PathOf(*role) + ".replicas";
    if (kind == RoleKind::kPs) {
      if (role->replicas() > kShards) {
        rules->Refuse(path, "expected at most " + std::to_string(kShards) + " for ps" + got);
      }
      continue;
    }
    if (role->replicas() <= 1) continue;
    if (spec.evaluate().has_progressive()) {
      rules->Refuse(path, "expected 1 as spec.evaluate.progressive is given" + got);
    }
    if (kind == RoleKind::kTrainer && spec.train().mode() == config::Sync) {
      rules->Refuse("spec.train.mode", "expected Async with several trainers, got Sync with " +
                                           std::to_string(role->replicas()) +
                                           "; Sync works with one");
    }
  }
}

// A number of the smallest unit, or −1 where nothing is given.
double CpuOf(const config::Quantities& quantities) {
  const auto millis = config::ParseCpuMillis(quantities.cpu());
  return millis.ok() ? static_cast<double>(*millis) : -1;
}
double MemoryOf(const config::Quantities& quantities) {
  const auto bytes = config::ParseByteSize(quantities.memory());
  return bytes.ok() ? static_cast<double>(*bytes) : -1;
}

void CheckResources(const config::Role& role, JobRules* rules) {
  const config::Resources& resources = role.resources();
  const std::string path = PathOf(role) + ".resources.requests.";
  const double cpu_limit = CpuOf(resources.limits());
  if (cpu_limit >= 0 && CpuOf(resources.requests()) > cpu_limit) {
    rules->Refuse(path + "cpu", "expected at most the limit of " + resources.limits().cpu() +
                                    ", got " + resources.requests().cpu());
  }
  const double memory_limit = MemoryOf(resources.limits());
  if (memory_limit >= 0 && MemoryOf(resources.requests()) > memory_limit) {
    rules->Refuse(path + "memory", "expected at most the limit of " + resources.limits().memory() +
                                       ", got " + resources.requests().memory());
  }
}

void CheckRole(const config::Role& role, JobRules* rules) {
  if (role.name() == "master") {
    rules->Refuse(PathOf(role) + ".name",
                  "expected a name other than that of the job's own master");
  }
  const config::Success& success = role.success();
  if (role.has_success() && KindOf(role) != RoleKind::kProgram) {
    rules->Refuse(PathOf(role) + ".success",
                  "expected none for " + std::string(NameOf(KindOf(role))) + ", got one");
  }
  if (success.has_replica() && success.replica() >= role.replicas() && role.replicas() > 0) {
    rules->Refuse(PathOf(role) + ".success.replica",
                  "expected a replica from 0 to " + std::to_string(role.replicas() - 1) + ", got " +
                      std::to_string(success.replica()));
  }
  CheckResources(role, rules);
}

}  // namespace

void CheckRoles(JobRules* rules) {
  for (const config::Role& role : rules->job().spec().roles()) CheckRole(role, rules);
  if (!rules->Trusts("spec.roles")) return;
  CheckKinds(rules);
  CheckCounts(rules);
}

}  // namespace primus::jobspec
