// The trainer process: the shell of primus/trainer over real loop, pool, network, ring and disk.
#include "primus/trainer/trainer.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "apps/primus/build.h"
#include "apps/primus/plugins.h"
#include "apps/primus/replica.h"
#include "apps/primus/role_process.h"
#include "primus/handover/ring.h"
#include "primus/store/local_store.h"
#include "primus/train/plan_model.h"

#include "proto/config/job.pb.h"

namespace primus::apps {
namespace {

// Steps in flight: one pulls while another computes and a third pushes.
constexpr std::size_t kSteps = 3;

using Steps = std::vector<std::unique_ptr<train::Step>>;

Result<Steps> MakeSteps(const config::Job& job, const jobspec::ModelPlan& plan,
                        const train::TrainSlots& slots) {
  Steps steps;
  for (std::size_t i = 0; i < kSteps; ++i) {
    PRIMUS_ASSIGN(steps.emplace_back(), train::MakeStep(job.spec(), plan, slots));
  }
  return steps;
}

trainer::TrainerOptions OptionsOf(const ReplicaArguments& arguments, const config::Job& job) {
  trainer::TrainerOptions options;
  options.session = {.replica = arguments.replica,
                     .kind = member::RoleKind::kTrainer,
                     .container = arguments.container,
                     .master = MasterAddress(arguments),
                     .own = OwnAddress(arguments),
                     .own_handover = OwnHandoverAddress(arguments)};
  options.overlap = job.spec().train().mode() == config::Sync ? trainer::Overlap::kNone
                                                              : trainer::Overlap::kAllowed;
  options.build = std::string(kBuild);
  return options;
}

Result<int> Serve(RoleProcess& process, const ReplicaArguments& arguments) {
  const Plugins plugins = MakePlugins();
  PRIMUS_ASSIGN(const config::Job job, ReadJob(arguments));
  trainer::TrainerOptions options = OptionsOf(arguments, job);
  PRIMUS_ASSIGN(options.plan,
                train::PlanModel(job.spec(), plugins.train, plugins.table_optimizers));
  PRIMUS_ASSIGN(Steps steps, MakeSteps(job, options.plan, plugins.train));
  PRIMUS_ASSIGN(const std::unique_ptr<store::LocalStore> blobs,
                store::LocalStore::Open(arguments.storage, store::OpenMode::kCreate));
  handover::RingHandover ring(process.loop());
  PRIMUS_ASSIGN(const auto role,
                trainer::Trainer::Create({.environment = process.environment(),
                                          .network = process.network(),
                                          .handover = ring,
                                          .blobs = *blobs,
                                          .log = process.log()},
                                         std::move(options), std::move(steps), process.Ender()));
  return process.Run();
}

}  // namespace

int RunTrainer(const ReplicaArguments& arguments) {
  RoleProcess process(arguments, 1);
  const Result<int> ended = Serve(process, arguments);
  return ended.ok() ? *ended : process.Refuse(ended.status());
}

}  // namespace primus::apps
