// Wires an executor: real environment, gRPC, ring and files.
#include "primus/executor/executor.h"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "apps/primus/build.h"
#include "apps/primus/plugins.h"
#include "apps/primus/replica.h"
#include "apps/primus/role_process.h"
#include "primus/data/arrow_row_streams.h"
#include "primus/executor/slot_size.h"
#include "primus/handover/ring.h"
#include "primus/train/plan_model.h"

#include "proto/config/job.pb.h"

namespace primus::apps {
namespace {

constexpr uint32_t kRingSlots = 8;
// Batches that wait for credit in the executor: what one read brings comes on top.
constexpr std::size_t kBatchesBuffered = 16;

member::SessionOptions SessionOf(const ReplicaArguments& arguments) {
  return {.replica = arguments.replica,
          .kind = member::RoleKind::kExecutor,
          .container = arguments.container,
          .master = MasterAddress(arguments),
          .own = OwnAddress(arguments),
          .own_handover = {}};
}

executor::Executor::Options OptionsOf(const ReplicaArguments& arguments, const config::Job& job,
                                      const jobspec::ModelPlan& plan) {
  executor::Executor::Options options;
  options.session = SessionOf(arguments);
  const uint32_t batch_rows = job.spec().train().batch_size();
  const uint32_t block_rows = job.spec().evaluate().progressive().rows();
  const uint32_t rows_max = std::max(batch_rows, block_rows);
  options.core = {.batch = {.batch_rows = batch_rows,
                            .progressive_rows = block_rows == 0 ? batch_rows : block_rows},
                  .turn = job.spec().train().mode() == config::Sync ? executor::Turn::kFixed
                                                                    : executor::Turn::kByCredit,
                  .rows_buffered_max = kBatchesBuffered * rows_max};
  options.layout = train::LayoutOf(plan);
  options.ring = {.slots = kRingSlots, .slot_bytes_max = executor::SlotBytes(plan, rows_max)};
  options.build = std::string(kBuild);
  return options;
}

}  // namespace

int RunExecutor(const ReplicaArguments& arguments) {
  const Plugins plugins = MakePlugins();
  const Result<config::Job> job = ReadJob(arguments);
  Result<jobspec::ModelPlan> plan =
      job.ok() ? train::PlanModel(job->spec(), plugins.train, plugins.table_optimizers)
               : Result<jobspec::ModelPlan>(job.status());
  Result<std::unique_ptr<data::ArrowRowStreams>> streams =
      plan.ok()
          ? data::ArrowRowStreams::Create(
                {.job = &*job, .slots = &plugins.data, .plan = *plan, .root = arguments.job_folder})
          : Result<std::unique_ptr<data::ArrowRowStreams>>(plan.status());
  // After the streams: its pool finishes the read under way before they go.
  RoleProcess process(arguments, 1);
  if (!streams.ok()) return process.Refuse(streams.status());
  handover::RingHandover ring(process.loop());
  const auto executor =
      executor::Executor::Create({.environment = process.environment(),
                                  .network = process.network(),
                                  .handover = ring,
                                  .streams = **streams,
                                  .log = process.log()},
                                 OptionsOf(arguments, *job, *plan), process.Ender());
  if (!executor.ok()) return process.Refuse(executor.status());
  return process.Run();
}

}  // namespace primus::apps
