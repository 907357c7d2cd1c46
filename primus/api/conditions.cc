#include "primus/api/conditions.h"

#include "proto/wire/node.pb.h"

namespace primus::api {
namespace {

bool IsTerminalType(std::string_view type) { return type == kCompleted || type == kFailed; }

wire::Condition* FindMutable(wire::JobStatus* status, std::string_view type) {
  for (wire::Condition& condition : *status->mutable_conditions()) {
    if (condition.type() == type) return &condition;
  }
  return nullptr;
}

}  // namespace

const wire::Condition* FindCondition(const wire::JobStatus& status, std::string_view type) {
  for (const wire::Condition& condition : status.conditions()) {
    if (condition.type() == type) return &condition;
  }
  return nullptr;
}

bool IsTrue(const wire::JobStatus& status, std::string_view type) {
  const wire::Condition* condition = FindCondition(status, type);
  return condition != nullptr && condition->status();
}

const wire::Condition* FindTerminal(const wire::JobStatus& status) {
  for (const wire::Condition& condition : status.conditions()) {
    if (condition.status() && IsTerminalType(condition.type())) return &condition;
  }
  return nullptr;
}

bool SetCondition(wire::JobStatus* status, const ConditionChange& change, WallTime now,
                  uint64_t generation) {
  if (IsTerminalType(change.type) && FindTerminal(*status) != nullptr) return false;
  wire::Condition* condition = FindMutable(status, change.type);
  const bool wanted = change.truth == Truth::kTrue;
  if (condition == nullptr) {
    condition = status->add_conditions();
    condition->set_type(std::string(change.type));
    condition->set_status(!wanted);  // so that this is a transition
  } else if (condition->status() == wanted && condition->reason() == change.reason &&
             condition->message() == change.message) {
    return false;
  }
  if (condition->status() != wanted) {
    condition->set_transition_nanos(now.time_since_epoch().count());
  }
  condition->set_status(wanted);
  condition->set_reason(change.reason);
  condition->set_message(change.message);
  condition->set_observed_generation(generation);
  return true;
}

std::string Phase(const wire::JobStatus& status) {
  for (const std::string_view type : {kFailed, kCompleted, kSuspended, kRestarting, kRunning}) {
    if (IsTrue(status, type)) return std::string(type);
  }
  return "Pending";
}

}  // namespace primus::api
