// The ps process: the shell of primus/ps over real loop, pool, network and disk.
#include "primus/ps/ps.h"

#include <csignal>
#include <fstream>
#include <memory>
#include <sstream>

#include "apps/primus/plugins.h"
#include "apps/primus/replica.h"
#include "primus/embedding/slab_store.h"
#include "primus/env/asio_loop.h"
#include "primus/env/system_random.h"
#include "primus/env/worker_pool.h"
#include "primus/rpc/grpc_network.h"
#include "primus/store/local_store.h"
#include "primus/telemetry/metrics.h"
#include "primus/train/plan_model.h"

#include "proto/config/job.pb.h"

namespace primus::apps {
namespace {

// One writes parts, the other restores.
constexpr std::size_t kPoolThreads = 2;

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

Result<uint32_t> ReplicasOf(const config::Job& job, const std::string& role) {
  for (const config::Role& candidate : job.spec().roles()) {
    if (candidate.name() == role && candidate.has_ps()) return candidate.replicas();
  }
  return FailedPreconditionError("the job has no ps role " + role);
}

Result<ps::PsOptions> MakeOptions(const ReplicaArguments& arguments, const Plugins& plugins) {
  PRIMUS_ASSIGN(const config::Job job, ReadJob(arguments.job_file));
  PRIMUS_ASSIGN(const uint32_t count, ReplicasOf(job, arguments.replica.role));
  if (arguments.replica.index >= count) {
    return FailedPreconditionError("there is no " + ToString(arguments.replica) + " among " +
                                   std::to_string(count));
  }
  const train::TrainSlots slots{
      .networks = plugins.networks, .losses = plugins.losses, .initializers = plugins.initializers};
  ps::PsOptions options;
  PRIMUS_ASSIGN(options.plan, train::PlanModel(job.spec(), slots, plugins.table_optimizers));
  options.job = job.metadata().name();
  options.shards = jobspec::ShardsOfPs(arguments.replica.index, count);
  options.session = {.replica = arguments.replica,
                     .kind = member::RoleKind::kPs,
                     .container = arguments.container,
                     .master = MasterAddress(arguments),
                     .own = OwnAddress(arguments),
                     .own_handover = {}};
  options.new_store = [plan = options.plan, shards = options.shards, &plugins] {
    return embedding::SlabStore::Create(plan, shards,
                                        {plugins.table_optimizers, plugins.dense_optimizers});
  };
  return options;
}

// Serves until the master says that the ps must leave; its exit code. A signal ends it as well.
Result<int> Serve(const ReplicaArguments& arguments, const Plugins& plugins,
                  const telemetry::Sink& sink) {
  env::AsioLoop loop;
  telemetry::Logger log(ToString(arguments.replica), loop, sink);
  PRIMUS_ASSIGN(ps::PsOptions options, MakeOptions(arguments, plugins));
  PRIMUS_ASSIGN(const std::unique_ptr<store::LocalStore> blobs,
                store::LocalStore::Open(arguments.storage, store::OpenMode::kCreate));
  Result<int> ended = 0;
  options.on_end = [&](const Status& status) {
    if (!status.ok()) ended = status;
    loop.Stop();
  };
  PRIMUS_TRY(loop.OnSignal({SIGTERM, SIGINT}, [&](int signal) {
    ended = 128 + signal;
    loop.Stop();
  }));
  env::SystemRandom random;
  env::WorkerPool pool(loop, kPoolThreads);
  telemetry::Registry metrics;
  rpc::GrpcNetwork network(loop, metrics);
  ps::Ps role({loop, pool, random}, {network, *blobs, log}, std::move(options));
  PRIMUS_TRY(role.Start());
  loop.Run();
  return ended;
}

}  // namespace

int RunPs(const ReplicaArguments& arguments) {
  const Plugins plugins = MakePlugins();
  const telemetry::Sink sink = telemetry::StandardErrorSink();
  const Result<int> ended = Serve(arguments, plugins, sink);
  if (ended.ok()) return *ended;
  sink(telemetry::Level::kError, "ps ended: " + ended.status().ToString());
  return 1;
}

}  // namespace primus::apps
