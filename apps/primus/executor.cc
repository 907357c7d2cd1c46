// The executor process: the shell of primus/executor over real loop, pool, network, ring and files.
#include "primus/executor/executor.h"

#include <algorithm>
#include <csignal>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <utility>

#include "apps/primus/plugins.h"
#include "apps/primus/replica.h"
#include "apps/primus/version.h"
#include "primus/data/arrow_row_streams.h"
#include "primus/data/data_slots.h"
#include "primus/env/asio_loop.h"
#include "primus/env/system_random.h"
#include "primus/env/worker_pool.h"
#include "primus/executor/slot_size.h"
#include "primus/handover/ring.h"
#include "primus/rpc/grpc_network.h"
#include "primus/telemetry/metrics.h"
#include "primus/train/plan_model.h"

#include "proto/config/job.pb.h"

namespace primus::apps {
namespace {

constexpr std::size_t kPoolThreads = 1;  // reads run one after the other
constexpr uint32_t kRingSlots = 8;
// Batches that wait for credit in the executor; what one read brings comes on top.
constexpr std::size_t kBatchesBuffered = 16;

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

Result<jobspec::ModelPlan> PlanOf(const config::Job& job, const Plugins& plugins) {
  const train::TrainSlots slots{
      .networks = plugins.networks, .losses = plugins.losses, .initializers = plugins.initializers};
  return train::PlanModel(job.spec(), slots, plugins.table_optimizers);
}

executor::Executor::Options OptionsOf(const ReplicaArguments& arguments, const config::Job& job,
                                      const jobspec::ModelPlan& plan) {
  const uint32_t batch_rows = job.spec().train().batch_size();
  const uint32_t block_rows = job.spec().evaluate().progressive().rows();
  const uint32_t rows_max = std::max(batch_rows, block_rows);
  executor::Executor::Options options;
  options.session = {.replica = arguments.replica,
                     .kind = member::RoleKind::kExecutor,
                     .container = arguments.container,
                     .master = MasterAddress(arguments),
                     .own = OwnAddress(arguments),
                     .own_handover = {}};
  options.core = {.batch = {.batch_rows = batch_rows, .progressive_rows = block_rows},
                  .turn = job.spec().train().mode() == config::Sync ? executor::Turn::kFixed
                                                                    : executor::Turn::kByCredit,
                  .rows_buffered_max = kBatchesBuffered * rows_max};
  options.layout = train::LayoutOf(plan);
  options.channel = {.slots = kRingSlots, .slot_bytes_max = executor::SlotBytes(plan, rows_max)};
  options.build = kVersion;
  return options;
}

// Prepares data until the master says that the executor must leave; its exit code. A signal ends
// it as well: it holds nothing that is not read again.
Result<int> Serve(const ReplicaArguments& arguments, const Plugins& plugins,
                  const telemetry::Sink& sink) {
  PRIMUS_ASSIGN(const config::Job job, ReadJob(arguments.job_file));
  PRIMUS_ASSIGN(const jobspec::ModelPlan plan, PlanOf(job, plugins));
  const data::DataSlots slots{
      .sources = plugins.sources, .formats = plugins.formats, .operators = plugins.operators};
  data::RowStreamsOptions reading;
  reading.job = &job;
  reading.slots = &slots;
  reading.plan = plan;
  reading.root = arguments.work_directory;
  // Before the pool, which finishes the read under way when it goes.
  PRIMUS_ASSIGN(const std::unique_ptr<data::ArrowRowStreams> streams,
                data::ArrowRowStreams::Create(std::move(reading)));
  env::AsioLoop loop;
  telemetry::Logger log(ToString(arguments.replica), loop, sink);
  Status ended;
  PRIMUS_TRY(loop.OnSignal({SIGTERM, SIGINT}, [&](int signal) {
    log.Info("stopped by a signal", {{"signal", signal}});
    loop.Stop();
  }));
  env::SystemRandom random;
  env::WorkerPool pool(loop, kPoolThreads);
  telemetry::Registry metrics;
  rpc::GrpcNetwork network(loop, metrics);
  handover::RingHandover ring(loop);
  const executor::Executor::Seams seams{.environment = {loop, pool, random},
                                        .network = network,
                                        .handover = ring,
                                        .streams = *streams,
                                        .log = log};
  PRIMUS_ASSIGN(
      const std::unique_ptr<executor::Executor> role,
      executor::Executor::Create(seams, OptionsOf(arguments, job, plan), [&](const Status& status) {
        ended = status;
        loop.Stop();
      }));
  loop.Run();
  PRIMUS_TRY(ended);
  return 0;
}

}  // namespace

int RunExecutor(const ReplicaArguments& arguments) {
  const Plugins plugins = MakePlugins();
  const telemetry::Sink sink = telemetry::StandardErrorSink();
  const Result<int> ended = Serve(arguments, plugins, sink);
  if (ended.ok()) return *ended;
  sink(telemetry::Level::kError, "executor ended: " + ended.status().ToString());
  return 1;
}

}  // namespace primus::apps
