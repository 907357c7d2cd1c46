#include "primus/sim/crew.h"

#include <utility>

#include "primus/base/check.h"
#include "primus/executor/executor.h"
#include "primus/master/master.h"
#include "primus/ps/ps.h"
#include "primus/sim/counting_step.h"
#include "primus/sim/counting_store.h"
#include "primus/trainer/trainer.h"

namespace primus::sim {

struct Crew::Place {
  std::string role;
  uint32_t index = 0;
  std::string container;
};

// A role's shell with what it stands on, in the order of destruction.
struct Crew::Replica {
  std::string role;
  std::unique_ptr<rpc::Network> network;
  std::unique_ptr<handover::Handover> handover;
  std::unique_ptr<telemetry::Logger> log;
  std::unique_ptr<CountedStreams> streams;
  std::unique_ptr<CountedPlanner> planner;
  std::unique_ptr<master::Master> master;
  std::unique_ptr<executor::Executor> executor;
  std::unique_ptr<trainer::Trainer> trainer;
  std::unique_ptr<ps::Ps> ps;
};

namespace {

// Of "counter/trainer-0/1.2": "trainer-0".
std::string ReplicaName(const std::string& container) {
  const std::size_t begin = container.find('/') + 1;
  return container.substr(begin, container.rfind('/') - begin);
}

}  // namespace

Crew::Crew(Means means, const ClusterOptions& options)
    : means_(std::move(means)), options_(options) {}

Crew::~Crew() = default;

void Crew::Start(ProcessId process, const runtime::ContainerSpec& spec) {
  const std::string name = ReplicaName(spec.id);
  const std::size_t dash = name.rfind('-');
  const Place place{name.substr(0, dash), static_cast<uint32_t>(std::stoul(name.substr(dash + 1))),
                    spec.id};
  Replica& replica = replicas_[process];
  replica.role = place.role;
  replica.network = means_.net.NetworkOf(process);
  replica.handover = means_.channels.HandoverOf(process);
  replica.log = std::make_unique<telemetry::Logger>(name, means_.world.EnvironmentOf(process).loop,
                                                    means_.log);
  if (place.role == "master") StartMaster(replica, process);
  if (place.role == "executor") StartExecutor(replica, process, place);
  if (place.role == "trainer") StartTrainer(replica, process, place);
  if (place.role == "ps") StartPs(replica, process, place);
}

void Crew::Remove(ProcessId process) { replicas_.erase(process); }

std::vector<ProcessId> Crew::Processes() const {
  std::vector<ProcessId> all;
  for (const auto& [process, replica] : replicas_) all.push_back(process);
  return all;
}

std::vector<ProcessId> Crew::Processes(const std::string& role) const {
  std::vector<ProcessId> found;
  for (const auto& [process, replica] : replicas_) {
    if (replica.role == role) found.push_back(process);
  }
  return found;
}

member::SessionOptions Crew::SessionOf(const Place& place, member::RoleKind kind) {
  return {.replica = {place.role, place.index},
          .kind = kind,
          .container = place.container,
          .master = "sim:master",
          .own = "sim:" + place.container,
          .own_handover = kind == member::RoleKind::kTrainer ? "ring:" + place.container : ""};
}

std::function<void(Status)> Crew::EndOf(ProcessId process) const {
  return [this, process](const Status& status) { means_.on_exit(process, status.ok() ? 0 : 1); };
}

void Crew::StartMaster(Replica& replica, ProcessId process) {
  replica.planner = std::make_unique<CountedPlanner>(options_.data);
  master::MasterOptions master;
  master.core.job = kJobName;
  master.core.ps = options_.ps;
  master.core.trainers = options_.trainers;
  master.core.roles = {"ps", "executor", "trainer"};
  for (uint32_t pass = 0; pass < options_.passes; ++pass) {
    data::PhaseScope scope;
    scope.phase = pass;
    scope.pass = pass;
    scope.shuffle = true;
    scope.shuffle_seed = Mix64(options_.seed, pass);
    master.core.phases.push_back({scope, replica.planner->Windows("")});
  }
  master.core.save_every = options_.save_every;
  master.core.storage_failures_max = 1000;
  master.core.merge_metrics = [](const std::vector<std::string>&) { return std::string(); };
  master.stream = "rows";
  master.address = "sim:master";
  master.node = "sim:node";
  master.task_rows_max = kTaskRowsMax;
  master.describe = [](const master::Core&, wire::JobStatus*) {};
  master.on_end = [this, process](int code) { means_.on_exit(process, code); };
  replica.master = std::make_unique<master::Master>(
      master::MasterWorld{means_.world.EnvironmentOf(process), *replica.network, means_.blobs,
                          *replica.planner, *replica.log},
      std::move(master));
  replica.master->Start();
}

void Crew::StartExecutor(Replica& replica, ProcessId process, const Place& place) {
  replica.streams = std::make_unique<CountedStreams>(options_.data);
  executor::Executor::Options executor;
  executor.session = SessionOf(place, member::RoleKind::kExecutor);
  executor.core.batch.batch_rows = options_.batch_size;
  executor.core.rows_buffered_max = 256;
  executor.layout = CountedLayout();
  executor.ring = {.slots = 4, .slot_bytes_max = 1 << 14};
  executor.build = "sim";
  auto made = executor::Executor::Create({means_.world.EnvironmentOf(process), *replica.network,
                                          *replica.handover, *replica.streams, *replica.log},
                                         std::move(executor), EndOf(process));
  PRIMUS_CHECK(made.ok(), made.status().ToString());
  replica.executor = *std::move(made);
}

void Crew::StartTrainer(Replica& replica, ProcessId process, const Place& place) {
  trainer::TrainerOptions trainer;
  trainer.session = SessionOf(place, member::RoleKind::kTrainer);
  trainer.plan = CountingPlan();
  trainer.build = "sim";
  std::vector<std::unique_ptr<train::Step>> steps;
  for (int i = 0; i < 3; ++i) steps.push_back(std::make_unique<CountingStep>());
  auto made = trainer::Trainer::Create({means_.world.EnvironmentOf(process), *replica.network,
                                        *replica.handover, means_.blobs, *replica.log},
                                       std::move(trainer), std::move(steps), EndOf(process));
  PRIMUS_CHECK(made.ok(), made.status().ToString());
  replica.trainer = *std::move(made);
}

void Crew::StartPs(Replica& replica, ProcessId process, const Place& place) {
  ps::PsOptions ps;
  ps.job = kJobName;
  ps.session = SessionOf(place, member::RoleKind::kPs);
  ps.plan = CountingPlan();
  ps.shards = jobspec::ShardsOfPs(place.index, options_.ps);
  ps.new_store = [shards = ps.shards] {
    return Result<std::unique_ptr<embedding::ShardStore>>(std::make_unique<CountingStore>(shards));
  };
  ps.on_end = EndOf(process);
  replica.ps = std::make_unique<ps::Ps>(means_.world.EnvironmentOf(process),
                                        ps::PsSeams{*replica.network, means_.blobs, *replica.log},
                                        std::move(ps));
  const Status started = replica.ps->Start();
  PRIMUS_CHECK(started.ok(), started.ToString());
}

}  // namespace primus::sim
