// The roles of a job by what they run. A checked job has at most one role of each kind but
// programs.
#pragma once

#include <cstdint>
#include <string_view>

namespace primus::config {
class Job;
class Role;
}  // namespace primus::config

namespace primus::jobspec {

// No role of a job file is a master: a job that trains gets one beside its roles.
enum class RoleKind { kMaster, kPs, kExecutor, kTrainer, kProgram };

// "master", "ps", "executor", "trainer", "program"
std::string_view NameOf(RoleKind kind);
RoleKind KindOf(const config::Role& role);

// The first of its kind; null if there is none.
const config::Role* FindRole(const config::Job& job, RoleKind kind);
// 0 if there is none.
uint32_t ReplicasOf(const config::Job& job, RoleKind kind);

}  // namespace primus::jobspec
