#include "primus/orchestrate/controller.h"

#include <algorithm>
#include <utility>

#include "primus/api/conditions.h"

namespace primus::orchestrate {
namespace {

using jobspec::RoleKind;

// After its verdict a master still tells its replicas to leave; then it has to go.
constexpr Duration kMasterLeaveTime = Seconds(5);

std::string_view NameOfWhen(RestartWhen when) {
  return when == RestartWhen::kNever ? "Never" : "Failure";
}

void WakeAt(Instant at, Effects* effects) {
  if (!effects->wake || at < *effects->wake) effects->wake = at;
}

}  // namespace

Controller::Controller(JobPlan plan) : plan_(std::move(plan)) {
  for (const RolePlan& role : plan_.roles) {
    for (uint32_t index = 0; index < role.replicas; ++index) {
      replicas_.push_back(
          {.id = {role.name, index}, .role = &role, .history = RestartHistory(role.budget)});
    }
  }
}

Controller::Replica* Controller::FindByContainer(const runtime::ContainerId& container) {
  for (Replica& replica : replicas_) {
    const bool is_current = replica.state == ReplicaState::kRunning;
    if (is_current && replica.container() == container) return &replica;
  }
  return nullptr;
}

Effects Controller::Reconcile(const std::vector<runtime::ContainerStatus>& containers,
                              Instant now) {
  Effects effects;
  TakeExits(containers, now, &effects);
  if (!outcome_) JudgePrograms();
  if (outcome_) {
    StopAll(now, &effects);
  } else {
    LaunchWaiting(now, &effects);
  }
  return effects;
}

void Controller::TakeExits(const std::vector<runtime::ContainerStatus>& containers, Instant now,
                           Effects* effects) {
  std::map<runtime::ContainerId, const runtime::ContainerStatus*> listed;
  for (const runtime::ContainerStatus& status : containers) listed[status.id] = &status;
  for (Replica& replica : replicas_) {
    if (replica.state != ReplicaState::kRunning) continue;
    const auto found = listed.find(replica.container());
    const bool is_gone = found == listed.end();
    if (!is_gone && found->second->state == runtime::ContainerState::kRunning) continue;
    const runtime::ContainerStatus vanished{.id = replica.container(),
                                            .state = runtime::ContainerState::kExited,
                                            .exit_code = 137,
                                            .reason = "its container is gone"};
    TakeExit(replica, is_gone ? vanished : *found->second, now);
  }
  for (const auto& [id, status] : listed) {
    if (status->state == runtime::ContainerState::kExited) {
      effects->list.push_back(ForgetContainer{id});
    }
  }
}

void Controller::TakeExit(Replica& replica, const runtime::ContainerStatus& status, Instant now) {
  runtime::ContainerStatus& life = replica.lives.back();
  life = status;
  const std::optional<Loss> loss = std::exchange(replica.loss, std::nullopt);
  if (loss) life.reason = replica.loss_reason + "; " + life.reason;
  if (outcome_) {
    // A program that was told to end and ends by the signal has not failed.
    const bool is_failed = status.exit_code != 0 && !replica.stop_sent;
    replica.state = is_failed ? ReplicaState::kFailed : ReplicaState::kWaiting;
    if (status.exit_code == 0) replica.state = ReplicaState::kSucceeded;
    return;
  }
  if (loss == Loss::kFenced) return Restart(replica, now);
  const bool succeeded = status.exit_code == 0 && !loss;
  if (!succeeded || replica.role->kind != RoleKind::kProgram) return TakeFailure(replica, now);
  if (replica.role->when == RestartWhen::kAlways) {
    return Restart(replica, std::max(now, replica.started + kBackOffFirst));
  }
  replica.state = ReplicaState::kSucceeded;
}

void Controller::TakeFailure(Replica& replica, Instant now) {
  const runtime::ContainerStatus& life = replica.lives.back();
  const RolePlan& role = *replica.role;
  const bool may_restart = role.when != RestartWhen::kNever;
  if (may_restart && replica.history.TakeFailure(replica.started, now)) {
    return Restart(replica, now + replica.history.back_off());
  }
  replica.state = ReplicaState::kFailed;
  const std::string who = ToString(replica.id);
  const bool decides = role.kind != RoleKind::kProgram;
  std::vector<ReplicaState> states;
  for (const Replica& other : replicas_) {
    if (other.role == replica.role) states.push_back(other.state);
  }
  if (!decides && JudgeRole(role.success, states) != RoleOutcome::kFailed) return;
  Outcome outcome{.kind = Outcome::Kind::kFailed, .container = life.id};
  if (may_restart) {
    outcome.reason = "RestartBudgetExceeded";
    outcome.message = who + " failed more than " + std::to_string(role.budget.limit) +
                      " times within " + std::to_string(ToMilliseconds(role.budget.within) / 1000) +
                      " s; the last time: " + life.reason;
  } else {
    outcome.reason = "ReplicaFailed";
    outcome.message =
        who + " " + life.reason + " (restart.when: " + std::string(NameOfWhen(role.when)) + ")";
  }
  SetOutcome(std::move(outcome));
}

void Controller::Restart(Replica& replica, Instant at) {
  replica.state = ReplicaState::kWaiting;
  replica.not_before = at;
}

void Controller::JudgePrograms() {
  if (plan_.has_master() || plan_.roles.empty()) return;
  for (const RolePlan& role : plan_.roles) {
    std::vector<ReplicaState> states;
    for (const Replica& replica : replicas_) {
      if (replica.role == &role) states.push_back(replica.state);
    }
    if (JudgeRole(role.success, states) != RoleOutcome::kSucceeded) return;
  }
  SetOutcome({.kind = Outcome::Kind::kCompleted,
              .reason = "RolesSucceeded",
              .message = "every role has succeeded"});
}

void Controller::LaunchWaiting(Instant now, Effects* effects) {
  for (Replica& replica : replicas_) {
    if (replica.state == ReplicaState::kRunning && replica.loss) {
      StopReplica(replica, runtime::StopMode::kImmediate, effects);
    }
    if (replica.state != ReplicaState::kWaiting) continue;
    if (replica.not_before <= now) {
      Launch(replica, now, effects);
    } else {
      WakeAt(replica.not_before, effects);
    }
  }
}

void Controller::Launch(Replica& replica, Instant now, Effects* effects) {
  ++replica.launches;
  replica.state = ReplicaState::kRunning;
  replica.started = now;
  replica.stop_sent.reset();
  if (replica.lives.size() >= kLivesKept) replica.lives.erase(replica.lives.begin());
  const std::string launch = std::to_string(plan_.run) + "." + std::to_string(replica.launches);
  replica.lives.push_back({.id = plan_.name + "/" + ToString(replica.id) + "/" + launch});
  effects->list.push_back(LaunchReplica{replica.id, replica.role->kind, replica.container()});
}

void Controller::StopReplica(Replica& replica, runtime::StopMode mode, Effects* effects) {
  if (replica.stop_sent == mode || replica.stop_sent == runtime::StopMode::kImmediate) return;
  replica.stop_sent = mode;
  effects->list.push_back(StopContainer{replica.container(), mode});
}

void Controller::StopAll(Instant now, Effects* effects) {
  if (!outcome_at_) outcome_at_ = now;
  const bool is_verdict = outcome_->container.empty() && !is_stopping_now_;
  for (Replica& replica : replicas_) {
    if (replica.state != ReplicaState::kRunning) continue;
    const bool may_linger = is_verdict && replica.role->kind == RoleKind::kMaster;
    const Instant leave_at = *outcome_at_ + kMasterLeaveTime;
    if (may_linger && now < leave_at) {
      WakeAt(leave_at, effects);
      continue;
    }
    const bool is_at_once = is_stopping_now_ || replica.loss;
    StopReplica(replica, is_at_once ? runtime::StopMode::kImmediate : runtime::StopMode::kGraceful,
                effects);
  }
}

void Controller::SetOutcome(Outcome outcome) {
  if (!outcome_) outcome_ = std::move(outcome);
}

void Controller::LoseContainer(const runtime::ContainerId& container, Loss loss,
                               std::string reason) {
  Replica* replica = FindByContainer(container);
  if (replica == nullptr || replica->loss) return;
  replica->loss = loss;
  replica->loss_reason = std::move(reason);
}

void Controller::OnLaunchFailed(const runtime::ContainerId& container, const Status& why,
                                Instant now) {
  Replica* replica = FindByContainer(container);
  if (replica == nullptr) return;
  const std::string reason = "could not be launched: " + why.message();
  const bool is_hopeless =
      why.code() == StatusCode::kNotFound || why.code() == StatusCode::kPermissionDenied;
  if (replica->role->kind == RoleKind::kProgram && is_hopeless) {
    SetOutcome({.kind = Outcome::Kind::kFailed,
                .reason = "CannotLaunch",
                .message = ToString(replica->id) + " " + reason});
  }
  const runtime::ContainerStatus failed{.id = container,
                                        .state = runtime::ContainerState::kExited,
                                        .exit_code = 127,
                                        .reason = reason};
  TakeExit(*replica, failed, now);
}

void Controller::Stop() {
  is_stopping_ = true;
  if (plan_.has_master()) return;
  SetOutcome({.kind = Outcome::Kind::kSuspended,
              .reason = "Stopped",
              .message = "stopped on request; programs have no save point"});
}

void Controller::StopNow() {
  is_stopping_ = true;
  is_stopping_now_ = true;
  SetOutcome({.kind = Outcome::Kind::kSuspended,
              .reason = std::string(api::kInterrupted),
              .message = "stopped at once on request; resume goes on from the last save point"});
}

bool Controller::is_over() const {
  return outcome_ && std::none_of(replicas_.begin(), replicas_.end(), [](const Replica& replica) {
           return replica.state == ReplicaState::kRunning;
         });
}

std::vector<Controller::Life> Controller::Lives() const {
  std::vector<Life> all;
  for (const Replica& replica : replicas_) {
    for (const runtime::ContainerStatus& life : replica.lives) all.push_back({replica.id, life});
  }
  return all;
}

std::optional<Controller::Life> Controller::Restarting() const {
  if (outcome_) return std::nullopt;
  for (const Replica& replica : replicas_) {
    const bool failed = replica.state == ReplicaState::kWaiting && !replica.lives.empty();
    if (failed) return Life{replica.id, replica.lives.back()};
  }
  return std::nullopt;
}

std::optional<runtime::ContainerId> Controller::MasterContainer() const {
  if (!plan_.has_master()) return std::nullopt;
  const Replica& master = replicas_.front();
  if (master.state != ReplicaState::kRunning) return std::nullopt;
  return master.container();
}

std::vector<Controller::RoleCounts> Controller::Counts() const {
  std::vector<RoleCounts> counts;
  for (const RolePlan& role : plan_.roles) {
    RoleCounts count{.desired = role.replicas};
    for (const Replica& replica : replicas_) {
      if (replica.role != &role) continue;
      count.ready += replica.state == ReplicaState::kRunning ? 1 : 0;
      count.succeeded += replica.state == ReplicaState::kSucceeded ? 1 : 0;
      count.failed += replica.state == ReplicaState::kFailed ? 1 : 0;
      count.restarts += replica.launches > 0 ? replica.launches - 1 : 0;
    }
    counts.push_back(count);
  }
  return counts;
}

}  // namespace primus::orchestrate
