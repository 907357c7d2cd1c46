// The trainer process: the shell of primus/trainer over real loop, pool, network, ring and disk.
#include "primus/trainer/trainer.h"

#include <csignal>
#include <fstream>
#include <memory>
#include <sstream>
#include <utility>
#include <vector>

#include "apps/primus/plugins.h"
#include "apps/primus/replica.h"
#include "apps/primus/version.h"
#include "primus/env/asio_loop.h"
#include "primus/env/system_random.h"
#include "primus/env/worker_pool.h"
#include "primus/handover/ring.h"
#include "primus/rpc/grpc_network.h"
#include "primus/store/local_store.h"
#include "primus/telemetry/metrics.h"
#include "primus/train/plan_model.h"

#include "proto/config/job.pb.h"

namespace primus::apps {
namespace {

// Steps compute one after the other, always in the same order; the others in flight pull or push.
constexpr std::size_t kPoolThreads = 1;
constexpr std::size_t kStepsInFlight = 3;

Result<config::Job> ReadJob(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream bytes;
  bytes << file.rdbuf();
  config::Job job;
  if (!file || !job.ParseFromString(bytes.str())) {
    return DataLossError("no accepted job in " + path);
  }
  return job;
}

struct Model {
  jobspec::ModelPlan plan;
  std::vector<std::unique_ptr<train::Step>> steps;
};

Result<Model> MakeModel(const config::JobSpec& spec, const Plugins& plugins) {
  const train::TrainSlots slots{
      .networks = plugins.networks, .losses = plugins.losses, .initializers = plugins.initializers};
  Model model;
  PRIMUS_ASSIGN(model.plan, train::PlanModel(spec, slots, plugins.table_optimizers));
  for (std::size_t i = 0; i < kStepsInFlight; ++i) {
    PRIMUS_ASSIGN(std::unique_ptr<train::Step> step, train::MakeStep(spec, model.plan, slots));
    model.steps.push_back(std::move(step));
  }
  return model;
}

trainer::TrainerOptions MakeOptions(const ReplicaArguments& arguments, const config::JobSpec& spec,
                                    jobspec::ModelPlan plan) {
  trainer::TrainerOptions options;
  options.session = {.replica = arguments.replica,
                     .kind = member::RoleKind::kTrainer,
                     .container = arguments.container,
                     .master = MasterAddress(arguments),
                     .own = OwnAddress(arguments),
                     .own_handover = OwnHandoverAddress(arguments)};
  options.plan = std::move(plan);
  options.overlap =
      spec.train().mode() == config::Sync ? trainer::Overlap::kNone : trainer::Overlap::kAllowed;
  options.build = kVersion;
  return options;
}

// Trains until the master says that the trainer must leave; its exit code. A signal ends it too.
Result<int> Serve(const ReplicaArguments& arguments, const Plugins& plugins,
                  const telemetry::Sink& sink) {
  env::AsioLoop loop;
  telemetry::Logger log(ToString(arguments.replica), loop, sink);
  PRIMUS_ASSIGN(const config::Job job, ReadJob(arguments.job_file));
  PRIMUS_ASSIGN(Model model, MakeModel(job.spec(), plugins));
  PRIMUS_ASSIGN(const std::unique_ptr<store::LocalStore> blobs,
                store::LocalStore::Open(arguments.storage, store::OpenMode::kCreate));
  Result<int> ended = 0;
  PRIMUS_TRY(loop.OnSignal({SIGTERM, SIGINT}, [&](int signal) {
    ended = 128 + signal;
    loop.Stop();
  }));
  env::SystemRandom random;
  telemetry::Registry metrics;
  rpc::GrpcNetwork network(loop, metrics);
  handover::RingHandover ring(loop);
  // Before the trainer: it is destroyed after it, when no step can be given to it any more.
  env::WorkerPool pool(loop, kPoolThreads);
  const trainer::TrainerWorld world{.environment = {loop, pool, random},
                                    .network = network,
                                    .handover = ring,
                                    .blobs = *blobs,
                                    .log = log};
  PRIMUS_ASSIGN(
      const std::unique_ptr<trainer::Trainer> role,
      trainer::Trainer::Create(world, MakeOptions(arguments, job.spec(), std::move(model.plan)),
                               std::move(model.steps), [&](const Status& status) {
                                 if (!status.ok()) ended = status;
                                 loop.Stop();
                               }));
  loop.Run();
  return ended;
}

}  // namespace

int RunTrainer(const ReplicaArguments& arguments) {
  const Plugins plugins = MakePlugins();
  const telemetry::Sink sink = telemetry::StandardErrorSink();
  const Result<int> ended = Serve(arguments, plugins, sink);
  if (ended.ok()) return *ended;
  sink(telemetry::Level::kError, "trainer ended: " + ended.status().ToString());
  return 1;
}

}  // namespace primus::apps
