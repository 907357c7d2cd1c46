#include "primus/node/job_run.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "primus/api/conditions.h"
#include "primus/node/durable_file.h"
#include "primus/runtime/log_name.h"

#include "proto/config/job.pb.h"
#include "proto/wire/node.pb.h"

namespace primus::node {
namespace {

using orchestrate::Outcome;

std::string_view ConditionOf(Outcome::Kind kind) {
  switch (kind) {
    case Outcome::Kind::kCompleted:
      return api::kCompleted;
    case Outcome::Kind::kFailed:
      return api::kFailed;
    case Outcome::Kind::kSuspended:
      return api::kSuspended;
  }
  return api::kFailed;
}

// Counts one more run and says in the same write that the job runs; the number of the run.
Result<uint64_t> BeginRun(const JobRunWorld& world, api::Object object) {
  wire::JobStatus status;
  if (!status.ParseFromString(object.status)) {
    return DataLossError("the status of " + object.name + " in the object store cannot be read");
  }
  const uint64_t run = status.runs() + 1;
  status.set_runs(run);
  const WallTime now = world.loop.Get().wall;
  if (api::IsTrue(status, api::kSuspended)) {
    api::SetCondition(&status,
                      {.type = api::kSuspended, .truth = api::Truth::kFalse, .reason = "Resumed"},
                      now, object.generation);
  }
  api::SetCondition(&status,
                    {.type = api::kRunning,
                     .reason = run == 1 ? "Started" : "Resumed",
                     .message = "run " + std::to_string(run)},
                    now, object.generation);
  object.status = status.SerializeAsString();
  PRIMUS_TRY(world.store.UpdateStatus(object).status());
  return run;
}

Status MakeRunDirectory(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (!error) {
    std::filesystem::permissions(path, std::filesystem::perms::owner_all, error);
  }
  if (error) return ErrnoError("cannot make the run directory " + path, error.value());
  return OkStatus();
}

}  // namespace

Result<std::unique_ptr<JobRun>> JobRun::Start(const JobRunWorld& world, const api::Object& object,
                                              JobPlaces places, std::function<void()> on_over) {
  wire::StoredJob stored;
  auto job = std::make_unique<config::Job>();
  if (!stored.ParseFromString(object.spec) || !job->ParseFromString(stored.job())) {
    return DataLossError("the job " + object.name + " in the object store cannot be read");
  }
  places.storage = stored.storage();
  places.job_folder = stored.job_folder();
  places.work_directory = stored.work_directory();
  PRIMUS_TRY(WriteDurably(places.job_file, stored.job()));
  PRIMUS_TRY(MakeRunDirectory(places.run_directory));
  PRIMUS_ASSIGN(const uint64_t run, BeginRun(world, object));
  PRIMUS_ASSIGN(orchestrate::JobPlan plan, orchestrate::PlanJob(*job, run));
  std::unique_ptr<JobRun> started(
      new JobRun(world, std::move(job), std::move(plan), std::move(places)));
  started->on_over_ = std::move(on_over);
  started->WatchMaster();
  started->Reconcile();
  return started;
}

JobRun::JobRun(const JobRunWorld& world, std::unique_ptr<config::Job> job,
               orchestrate::JobPlan plan, JobPlaces places)
    : world_(world),
      job_(std::move(job)),
      name_(plan.name),
      places_(std::move(places)),
      controller_(std::move(plan)),
      observation_(world.loop),
      status_(world.loop, world.store, world.log, name_),
      reconcile_timer_(world.loop),
      watch_timer_(world.loop),
      failed_launch_timer_(world.loop) {}

JobRun::~JobRun() = default;

std::vector<runtime::ContainerStatus> JobRun::OwnContainers() const {
  std::vector<runtime::ContainerStatus> own;
  for (runtime::ContainerStatus& status : world_.runtime.List()) {
    if (status.id.starts_with(name_ + "/")) own.push_back(std::move(status));
  }
  return own;
}

void JobRun::Reconcile() {
  if (is_over_) return;
  const Instant now = world_.loop.Get().monotonic;
  const orchestrate::Effects effects = controller_.Reconcile(OwnContainers(), now);
  for (const orchestrate::Effect& effect : effects.list) {
    std::visit([this](const auto& one) { Apply(one); }, effect);
  }
  reconcile_timer_.Cancel();
  if (effects.wake) {
    reconcile_timer_.Set(std::max<Duration>(*effects.wake - now, Duration(0)),
                         [this] { Reconcile(); });
  }
  observation_.Set(controller_.Lives(),
                   controller_.is_stopping() ? Observation::Wish::kStop : Observation::Wish::kGoOn);
  PublishRoles();
  PublishRestarts();
  if (controller_.outcome() && !outcome_written_) WriteOutcome();
  if (controller_.is_over()) Finish();
}

void JobRun::Apply(const orchestrate::LaunchReplica& effect) {
  const Status launched = world_.runtime.Launch(ReplicaCommand(*job_, places_, effect));
  if (launched.ok()) {
    world_.log.Info("replica launched", {{"container", effect.container}});
    return;
  }
  world_.log.Warn("cannot launch", {{"container", effect.container}, {"error", launched}});
  controller_.OnLaunchFailed(effect.container, launched, world_.loop.Get().monotonic);
  // What the failure means is for the next turn: this one is in the middle of its effects.
  failed_launch_timer_.Set(Duration(0), [this] { Reconcile(); });
}

void JobRun::Apply(const orchestrate::StopContainer& effect) {
  world_.log.Info("stopping a container", {{"container", effect.container}});
  world_.runtime.Stop(effect.container, effect.mode);
}

void JobRun::Apply(const orchestrate::ForgetContainer& effect) {
  world_.runtime.Forget(effect.container);
}

void JobRun::PublishRoles() {
  const std::vector<orchestrate::Controller::RoleCounts> counts = controller_.Counts();
  const std::vector<orchestrate::RolePlan>& roles = controller_.plan().roles;
  std::vector<RoleLine> lines;
  for (std::size_t i = 0; i < counts.size(); ++i) lines.push_back({roles[i].name, counts[i]});
  status_.SetRoles(std::move(lines));
}

void JobRun::PublishRestarts() {
  const std::optional<orchestrate::Controller::Life> failed = controller_.Restarting();
  if (failed.has_value() == restarting_written_) return;
  restarting_written_ = failed.has_value();
  if (failed) restart_ = ToString(failed->replica) + " " + failed->status.reason;
  status_.SetCondition({.type = api::kRestarting,
                        .truth = failed ? api::Truth::kTrue : api::Truth::kFalse,
                        .reason = failed ? "ReplicaFailed" : "AllRun",
                        .message = restart_});
}

void JobRun::WriteOutcome() {
  outcome_written_ = true;
  const Outcome& outcome = *controller_.outcome();
  std::string message = outcome.message;
  if (!outcome.container.empty()) {
    message +=
        "; see " + LogDirectory(places_) + "/" + runtime::LogName(outcome.container) + ".err";
  }
  status_.SetCondition(
      {.type = ConditionOf(outcome.kind), .reason = outcome.reason, .message = std::move(message)});
}

void JobRun::Finish() {
  is_over_ = true;
  watch_timer_.Cancel();
  reconcile_timer_.Cancel();
  status_.SetCondition(
      {.type = api::kRunning, .truth = api::Truth::kFalse, .reason = "NothingRuns"});
  if (const Status written = status_.Flush(); !written.ok()) {
    world_.log.Error("the end of the job is not written", {{"error", written}});
  }
  std::error_code ignored;  // the run directory goes with node's in any case
  std::filesystem::remove_all(places_.run_directory, ignored);
  if (on_over_) on_over_();
}

void JobRun::OnObjectChange() {
  if (is_over_) return;
  const Result<api::Object> object = world_.store.Get(api::kJobKind, name_);
  if (!object.ok()) {
    world_.log.Warn("the job's object is gone, stopping it", {{"job", name_}});
    return StopNow();
  }
  wire::StoredJob stored;
  wire::JobStatus status;
  if (!stored.ParseFromString(object->spec) || !status.ParseFromString(object->status)) {
    world_.log.Error("the job's object cannot be read", {{"job", name_}});
    return;
  }
  attempt_ = status.attempt();
  ReadVerdict(status);
  if (stored.stop()) controller_.Stop();
  if (stored.stop_now()) controller_.StopNow();
  Reconcile();
}

// The master's decision stands in the object already: nothing of it is for node to write.
void JobRun::ReadVerdict(const wire::JobStatus& status) {
  if (controller_.outcome()) return;
  for (const Outcome::Kind kind :
       {Outcome::Kind::kCompleted, Outcome::Kind::kFailed, Outcome::Kind::kSuspended}) {
    const wire::Condition* condition = api::FindCondition(status, ConditionOf(kind));
    if (condition == nullptr || !condition->status()) continue;
    controller_.SetOutcome(
        {.kind = kind, .reason = condition->reason(), .message = condition->message()});
    outcome_written_ = true;
    return;
  }
}

void JobRun::Stop() {
  controller_.Stop();
  Reconcile();
}

void JobRun::StopNow() {
  controller_.StopNow();
  Reconcile();
}

void JobRun::WatchMaster() {
  const std::optional<runtime::ContainerId> master = controller_.MasterContainer();
  if (master_watch_.Tick(master, world_.loop.Get().monotonic)) {
    world_.log.Warn("the master is silent", {{"container", *master}});
    controller_.LoseContainer(*master, orchestrate::Loss::kSilent, "said nothing for too long");
    Reconcile();
  }
  if (!is_over_) watch_timer_.Set(kMasterWatchTick, [this] { WatchMaster(); });
}

Status JobRun::CheckAttempt(uint64_t attempt) const {
  if (attempt >= attempt_) return OkStatus();
  return {StatusCode::kPermissionDenied,
          "attempt " + std::to_string(attempt) + " of the master of " + name_ +
              " is superseded by attempt " + std::to_string(attempt_)};
}

void JobRun::Observe(const wire::ObserveRequest& request, rpc::Reply<wire::ObserveResponse> reply) {
  if (const Status current = CheckAttempt(request.attempt()); !current.ok()) return reply(current);
  if (const auto master = controller_.MasterContainer()) master_watch_.Hear(*master);
  observation_.Ask(request.version(), std::move(reply));
}

void JobRun::LoseContainer(const wire::LoseContainerRequest& request,
                           const rpc::Reply<wire::LoseContainerResponse>& reply) {
  if (const Status current = CheckAttempt(request.attempt()); !current.ok()) return reply(current);
  const bool is_silent = request.kind() != wire::LoseContainerRequest::FENCED;
  world_.log.Info("container lost to the job",
                  {{"container", request.container()}, {"reason", request.reason()}});
  controller_.LoseContainer(request.container(),
                            is_silent ? orchestrate::Loss::kSilent : orchestrate::Loss::kFenced,
                            request.reason());
  Reconcile();
  reply(wire::LoseContainerResponse());
}

}  // namespace primus::node
