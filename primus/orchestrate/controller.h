// Makes the containers of one job match its plan: the controller's pure core.
//
// Level-triggered: the shell calls Reconcile with what the runtime lists, whenever that or the
// time may have changed anything, and carries out the effects in order before the next call.
// Events in between (a verdict, a loss, a stop) are told first. No clock, thread or file inside.
//
// A job ends by one outcome, decided once: by its master's verdict, by success of its programs, by
// a budget used up, or by a stop. Then everything is stopped, also roles that never end by
// themselves, and the job is over when nothing runs.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "primus/base/ids.h"
#include "primus/orchestrate/job_plan.h"
#include "primus/orchestrate/restart_history.h"
#include "primus/orchestrate/role_outcome.h"
#include "primus/runtime/runtime.h"

namespace primus::orchestrate {

struct LaunchReplica {
  ReplicaId replica;
  jobspec::RoleKind kind = jobspec::RoleKind::kProgram;
  runtime::ContainerId container;
};
struct StopContainer {
  runtime::ContainerId container;
  runtime::StopMode mode = runtime::StopMode::kGraceful;
};
// Its exit is taken note of.
struct ForgetContainer {
  runtime::ContainerId container;
};
using Effect = std::variant<LaunchReplica, StopContainer, ForgetContainer>;

struct Effects {
  std::vector<Effect> list;
  std::optional<Instant> wake;  // reconcile again then, if nothing happens before
};

// How the job ended: the condition to be true, and why.
struct Outcome {
  enum class Kind { kCompleted, kFailed, kSuspended } kind = Kind::kCompleted;
  std::string reason{};
  std::string message{};
  runtime::ContainerId container{};  // whose end it was, if any
};

// Why the shell ends a container itself.
enum class Loss {
  kFenced,  // superseded, or the victim of a rollback: no failure of its own
  kSilent,  // does not answer: counts as a failure
};

// As many lives of a replica as a master may ask about.
inline constexpr std::size_t kLivesKept = 32;

class Controller {
 public:
  explicit Controller(JobPlan plan);

  Effects Reconcile(const std::vector<runtime::ContainerStatus>& containers, Instant now);

  // The master has decided; the first decision stands.
  void SetOutcome(Outcome outcome);
  // The container is lost to the job; Reconcile kills it, and its replica starts again. Unknown
  // and ended ones are ignored: the call may come twice.
  void LoseContainer(const runtime::ContainerId& container, Loss loss, std::string reason);
  // A LaunchReplica could not be carried out: a failed life. A program that is not there or may not
  // be run fails the job at once.
  void OnLaunchFailed(const runtime::ContainerId& container, const Status& why, Instant now);
  // Save and stop: what has a master ends by its verdict, programs are stopped.
  void Stop();
  // Stop at once, whatever is lost.
  void StopNow();

  const JobPlan& plan() const { return plan_; }
  const std::optional<Outcome>& outcome() const { return outcome_; }
  // An outcome, and nothing runs.
  bool is_over() const;
  bool is_stopping() const { return is_stopping_; }

  struct Life {
    ReplicaId replica;
    runtime::ContainerStatus status;
  };
  // All lives of all replicas, the newest kLivesKept of each, in order.
  std::vector<Life> Lives() const;
  // The running container of the master, if any, and since when.
  std::optional<runtime::ContainerId> MasterContainer() const;

  // The last life of a replica that failed and waits to be started again, if there is one.
  std::optional<Life> Restarting() const;

  struct RoleCounts {
    uint32_t desired = 0, ready = 0, succeeded = 0, failed = 0, restarts = 0;
    bool operator==(const RoleCounts&) const = default;
  };
  // In the order of the plan.
  std::vector<RoleCounts> Counts() const;

 private:
  struct Replica {
    ReplicaId id;
    const RolePlan* role = nullptr;
    RestartHistory history;
    ReplicaState state = ReplicaState::kWaiting;
    Instant started{};
    Instant not_before{};
    uint32_t launches = 0;
    std::optional<Loss> loss{};
    std::string loss_reason{};
    std::optional<runtime::StopMode> stop_sent{};
    std::vector<runtime::ContainerStatus> lives{};  // the last one is the current

    const runtime::ContainerId& container() const { return lives.back().id; }
  };

  Replica* FindByContainer(const runtime::ContainerId& container);
  void TakeExits(const std::vector<runtime::ContainerStatus>& containers, Instant now,
                 Effects* effects);
  void TakeExit(Replica& replica, const runtime::ContainerStatus& status, Instant now);
  void TakeFailure(Replica& replica, Instant now);
  void Restart(Replica& replica, Instant at);
  void JudgePrograms();
  void LaunchWaiting(Instant now, Effects* effects);
  void Launch(Replica& replica, Instant now, Effects* effects);
  void StopReplica(Replica& replica, runtime::StopMode mode, Effects* effects);
  void StopAll(Instant now, Effects* effects);

  const JobPlan plan_;
  std::vector<Replica> replicas_;  // in the order of the plan
  std::optional<Outcome> outcome_;
  std::optional<Instant> outcome_at_;
  bool is_stopping_ = false;
  bool is_stopping_now_ = false;
};

}  // namespace primus::orchestrate
