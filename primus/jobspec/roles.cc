#include "primus/jobspec/roles.h"

#include "proto/config/job.pb.h"

namespace primus::jobspec {

std::string_view NameOf(RoleKind kind) {
  switch (kind) {
    case RoleKind::kMaster:
      return "master";
    case RoleKind::kPs:
      return "ps";
    case RoleKind::kExecutor:
      return "executor";
    case RoleKind::kTrainer:
      return "trainer";
    case RoleKind::kProgram:
      return "program";
  }
  return "";
}

RoleKind KindOf(const config::Role& role) {
  if (role.has_ps()) return RoleKind::kPs;
  if (role.has_executor()) return RoleKind::kExecutor;
  return role.has_trainer() ? RoleKind::kTrainer : RoleKind::kProgram;
}

const config::Role* FindRole(const config::Job& job, RoleKind kind) {
  for (const config::Role& role : job.spec().roles()) {
    if (KindOf(role) == kind) return &role;
  }
  return nullptr;
}

uint32_t ReplicasOf(const config::Job& job, RoleKind kind) {
  const config::Role* role = FindRole(job, kind);
  return role == nullptr ? 0 : role->replicas();
}

}  // namespace primus::jobspec
