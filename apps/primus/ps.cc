// The ps process: the shell of primus/ps over real loop, pool, network and disk.
#include "primus/ps/ps.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "apps/primus/plugins.h"
#include "apps/primus/replica.h"
#include "apps/primus/role_process.h"
#include "primus/embedding/slab_store.h"
#include "primus/jobspec/roles.h"
#include "primus/store/local_store.h"
#include "primus/train/plan_model.h"

#include "proto/config/job.pb.h"

namespace primus::apps {
namespace {

// One writes parts, the other restores.
constexpr std::size_t kPoolThreads = 2;

Result<ps::PsOptions> OptionsOf(const ReplicaArguments& arguments, const Plugins& plugins) {
  PRIMUS_ASSIGN(const config::Job job, ReadJob(arguments));
  ps::PsOptions options;
  PRIMUS_ASSIGN(options.plan,
                train::PlanModel(job.spec(), plugins.train, plugins.table_optimizers));
  options.job = job.metadata().name();
  options.shards = jobspec::ShardsOfPs(arguments.replica.index,
                                       jobspec::ReplicasOf(job, jobspec::RoleKind::kPs));
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

Result<int> Serve(RoleProcess& process, const ReplicaArguments& arguments) {
  const Plugins plugins = MakePlugins();
  PRIMUS_ASSIGN(ps::PsOptions options, OptionsOf(arguments, plugins));
  options.on_end = process.Ender();
  PRIMUS_ASSIGN(const std::unique_ptr<store::LocalStore> blobs,
                store::LocalStore::Open(arguments.storage, store::OpenMode::kCreate));
  std::optional<ps::Ps> role;
  role.emplace(process.environment(), ps::PsSeams{process.network(), *blobs, process.log()},
               std::move(options));
  PRIMUS_TRY(role->Start());
  // A part that is being written is abandoned.
  return process.Run([&role] { role.reset(); });
}

}  // namespace

int RunPs(const ReplicaArguments& arguments) {
  RoleProcess process(arguments, kPoolThreads);
  const Result<int> ended = Serve(process, arguments);
  return ended.ok() ? *ended : process.Refuse(ended.status());
}

}  // namespace primus::apps
