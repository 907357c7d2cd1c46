// The master process: the shell of primus/master over real loop, pool, network, disk and files.
#include "primus/master/master.h"

#include <memory>

#include "apps/primus/job_reporter.h"
#include "apps/primus/plugins.h"
#include "apps/primus/replica.h"
#include "apps/primus/role_process.h"
#include "primus/base/seeded.h"
#include "primus/data/files_window_planner.h"
#include "primus/data/window.h"
#include "primus/jobspec/phases.h"
#include "primus/jobspec/roles.h"
#include "primus/jobspec/settings.h"
#include "primus/jobspec/sources.h"
#include "primus/store/local_store.h"
#include "primus/train/metrics.h"

#include "proto/config/job.pb.h"

namespace primus::apps {
namespace {

constexpr std::size_t kPoolThreads = 2;

// Not of rows outside the phase: a window that has none of its rows is not read.
bool Overlaps(const std::string& window, const jobspec::Phase& phase) {
  const Result<data::WindowBounds> bounds = data::DayBounds(window);
  if (!bounds.ok()) return true;
  return (!phase.to || bounds->begin < *phase.to) && (!phase.from || bounds->end > *phase.from);
}

std::vector<master::Phase> PhasesOf(const config::Job& job,
                                    const std::vector<std::string>& windows) {
  std::vector<master::Phase> phases;
  for (const jobspec::Phase& phase : jobspec::PhasesOf(job)) {
    master::Phase out;
    out.scope.phase = static_cast<uint32_t>(phases.size());
    out.scope.pass = phase.pass;
    out.scope.purpose = phase.purpose;
    out.scope.from = phase.from;
    out.scope.to = phase.to;
    out.scope.shuffle = phase.shuffle;
    out.scope.shuffle_seed = Mix64(job.spec().seed(), phase.pass);
    for (const std::string& window : windows) {
      if (Overlaps(window, phase)) out.windows.push_back(window);
    }
    phases.push_back(std::move(out));
  }
  return phases;
}

Result<std::string> MergeMetrics(const std::vector<std::string>& states) {
  train::MetricState merged;
  for (const std::string& bytes : states) {
    PRIMUS_ASSIGN(const train::MetricState state, train::MetricState::Parse(bytes));
    merged.Merge(state);
  }
  return merged.Serialize();
}

master::CoreOptions CoreOptionsOf(const config::Job& job, const std::vector<std::string>& windows) {
  master::CoreOptions options;
  options.job = job.metadata().name();
  options.ps = jobspec::ReplicasOf(job, jobspec::RoleKind::kPs);
  options.trainers = jobspec::ReplicasOf(job, jobspec::RoleKind::kTrainer);
  for (const config::Role& role : job.spec().roles()) {
    if (jobspec::KindOf(role) != jobspec::RoleKind::kProgram) options.roles.insert(role.name());
  }
  options.phases = PhasesOf(job, windows);
  options.save_every = jobspec::SavePointEvery(job);
  options.keep_last = job.spec().save_point().keep().last();
  options.merge_metrics = &MergeMetrics;
  return options;
}

// What the base source says of a window whose marker does not come.
data::Unready OnTimeoutOf(const config::Source& base) {
  if (base.ready().on_timeout() == config::Skip) return data::Unready::kSkip;
  if (base.ready().on_timeout() == config::UsePartial) return data::Unready::kUse;
  return data::Unready::kFail;
}

}  // namespace

int RunMaster(const ReplicaArguments& arguments) {
  const Plugins plugins = MakePlugins();
  RoleProcess process(arguments, kPoolThreads);
  const Result<config::Job> job = ReadJob(arguments);
  if (!job.ok()) return process.Refuse(job.status());
  const auto planner = data::FilesWindowPlanner::Create(*job, plugins.data, arguments.job_folder);
  if (!planner.ok()) return process.Refuse(planner.status());
  const auto blobs = store::LocalStore::Open(arguments.storage, store::OpenMode::kCreate);
  if (!blobs.ok()) return process.Refuse(blobs.status());
  const config::Stream& stream = job->spec().data().streams(0);
  const config::Source& base = *jobspec::BaseOf(stream);
  JobReporter reporter(
      {.name = job->metadata().name(), .stream = stream.name(), .storage = arguments.storage},
      process.loop());
  master::MasterOptions options;
  options.core = CoreOptionsOf(*job, (*planner)->Windows(stream.name()));
  options.stream = stream.name();
  options.address = MasterAddress(arguments);
  options.node = NodeAddress(arguments);
  options.ready_timeout = base.has_ready() ? jobspec::ReadyTimeout(base.ready()) : Duration(0);
  options.on_timeout = OnTimeoutOf(base);
  options.observe = [&reporter](const master::Core& core) { reporter.Observe(core); };
  options.describe = [&reporter](const master::Core& core, wire::JobStatus* status) {
    reporter.Describe(core, status);
  };
  options.on_end = [&process](int exit_code) { process.End(exit_code); };
  master::Master role({.environment = process.environment(),
                       .network = process.network(),
                       .blobs = **blobs,
                       .planner = **planner,
                       .log = process.log()},
                      std::move(options));
  role.Start();
  return process.Run();
}

}  // namespace primus::apps
