// One job while it runs: the shell around its controller.
//
// Carries out what the controller decides, tells it what happens (exits, the master's verdict in
// the object, silence, stops), writes conditions and roles, and answers the job's master. Made
// when the job starts or is resumed, gone when it is over; the object stays. Loop thread only.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "primus/api/object_store.h"
#include "primus/env/environment.h"
#include "primus/node/job_status_writer.h"
#include "primus/node/master_watch.h"
#include "primus/node/observation.h"
#include "primus/node/replica_command.h"
#include "primus/orchestrate/controller.h"
#include "primus/rpc/server.h"
#include "primus/runtime/runtime.h"
#include "primus/telemetry/logger.h"

namespace primus::config {
class Job;
}
namespace primus::wire {
class JobStatus;
class LoseContainerRequest;
class LoseContainerResponse;
class ObserveRequest;
class ObserveResponse;
}  // namespace primus::wire

namespace primus::node {

// What a run stands on; all outlive it.
struct JobRunWorld {
  env::EventLoop& loop;
  api::ObjectStore& store;
  runtime::Runtime& runtime;
  telemetry::Logger& log;
};

class JobRun {
 public:
  // Writes the job file, counts the run and launches. `object` is the Job as stored; its status
  // says what earlier runs came to. `on_over` is called once nothing runs any more and the end is
  // written; it may not destroy the run.
  static Result<std::unique_ptr<JobRun>> Start(const JobRunWorld& world, const api::Object& object,
                                               JobPlaces places, std::function<void()> on_over);
  ~JobRun();

  void OnRuntimeChange() { Reconcile(); }
  void OnObjectChange();
  // Save and stop. Again: nothing more.
  void Stop();
  void StopNow();

  void Observe(const wire::ObserveRequest& request, rpc::Reply<wire::ObserveResponse> reply);
  void LoseContainer(const wire::LoseContainerRequest& request,
                     const rpc::Reply<wire::LoseContainerResponse>& reply);

  const std::string& name() const { return name_; }
  bool is_over() const { return is_over_; }

 private:
  JobRun(const JobRunWorld& world, std::unique_ptr<config::Job> job, orchestrate::JobPlan plan,
         JobPlaces places);

  void Reconcile();
  void Apply(const orchestrate::LaunchReplica& effect);
  void Apply(const orchestrate::StopContainer& effect);
  void Apply(const orchestrate::ForgetContainer& effect);
  std::vector<runtime::ContainerStatus> OwnContainers() const;
  void ReadVerdict(const wire::JobStatus& status);
  void PublishRoles();
  void PublishRestarts();
  void WriteOutcome();
  void Finish();
  void WatchMaster();
  Status CheckAttempt(uint64_t attempt) const;

  const JobRunWorld world_;
  const std::unique_ptr<config::Job> job_;
  const std::string name_;
  const JobPlaces places_;
  orchestrate::Controller controller_;
  Observation observation_;
  JobStatusWriter status_;
  MasterWatch master_watch_;
  env::Timer reconcile_timer_;
  env::Timer watch_timer_;
  env::Timer failed_launch_timer_;
  std::function<void()> on_over_;
  uint64_t attempt_ = 0;  // of the newest master, as the object says
  bool outcome_written_ = false;
  bool restarting_written_ = false;
  std::string restart_;  // who failed last and how; stands in the condition also afterwards
  bool is_over_ = false;
};

}  // namespace primus::node
