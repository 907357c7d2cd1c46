#include "primus/sim/cluster.h"

#include <stdlib.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <map>
#include <utility>

#include "primus/api/conditions.h"
#include "primus/api/memory_object_store.h"
#include "primus/executor/executor.h"
#include "primus/master/master.h"
#include "primus/node/node.h"
#include "primus/ps/ps.h"
#include "primus/savepoint/record.h"
#include "primus/savepoint/record_log.h"
#include "primus/sim/counting_step.h"
#include "primus/sim/handover.h"
#include "primus/sim/network.h"
#include "primus/sim/runtime.h"
#include "primus/sim/store.h"
#include "primus/telemetry/logger.h"
#include "primus/trainer/trainer.h"

#include "proto/config/job.pb.h"
#include "proto/wire/node.pb.h"
#include "proto/wire/record.pb.h"

namespace primus::sim {
namespace {

constexpr std::string_view kJob = "counter";
constexpr std::size_t kTail = 60;

// A role's shell with what it stands on, in the order of destruction.
struct Replica {
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

struct Place {
  std::string role;
  uint32_t index = 0;
  std::string container;
};

// "counter/trainer-0/1.2"
Place PlaceOf(const std::string& container) {
  const std::size_t begin = container.find('/') + 1;
  const std::size_t end = container.rfind('/');
  const std::string name = container.substr(begin, end - begin);
  const std::size_t dash = name.rfind('-');
  return {name.substr(0, dash), static_cast<uint32_t>(std::stoul(name.substr(dash + 1))),
          container};
}

void AddRole(config::JobSpec* spec, const std::string& name, uint32_t replicas) {
  config::Role* role = spec->add_roles();
  role->set_name(name);
  role->set_replicas(replicas);
  if (name == "ps") role->mutable_ps();
  if (name == "executor") role->mutable_executor();
  if (name == "trainer") role->mutable_trainer();
  // The world does more harm than a job should take.
  role->mutable_restart()->set_limit(100000);
}

}  // namespace

struct Cluster::State {
  explicit State(ClusterOptions cluster_options)
      : options(std::move(cluster_options)),
        faults(options.faults),
        world(options.seed),
        net(world, faults),
        channels(world),
        blobs(world, faults),
        planner(options.data) {
    std::string pattern = (std::filesystem::temp_directory_path() / "primus-sim-XXXXXX").string();
    directory = ::mkdtemp(pattern.data());
    world.OnDeath([this](ProcessId process) { OnDeath(process); });
  }
  ~State() {
    replicas.clear();
    node.reset();
    std::filesystem::remove_all(directory);
  }

  void OnDeath(ProcessId process);
  Status StoreJob();
  void StartContainer(ProcessId process, const runtime::ContainerSpec& spec);
  void StartMaster(Replica& replica, ProcessId process);
  void StartExecutor(Replica& replica, ProcessId process, const Place& place);
  void StartTrainer(Replica& replica, ProcessId process, const Place& place);
  void StartPs(Replica& replica, ProcessId process, const Place& place);
  member::SessionOptions SessionOf(const Place& place, member::RoleKind kind) const;
  std::function<void(Status)> EndOf(ProcessId process);
  std::unique_ptr<telemetry::Logger> LoggerOf(ProcessId process, const std::string& name);
  wire::JobStatus Status_() const;
  Result<wire::Manifest> NewestManifest();

  ClusterOptions options;
  Faults faults;
  World world;
  Net net;
  Channels channels;
  Blobs blobs;
  CountedPlanner planner;
  api::MemoryObjectStore objects;
  std::string directory;
  std::deque<std::string> lines;
  ProcessId node_process = 0;
  std::unique_ptr<rpc::Network> node_network;
  std::unique_ptr<telemetry::Logger> node_log;
  std::unique_ptr<Containers> containers;
  std::unique_ptr<node::Node> node;
  std::map<ProcessId, Replica> replicas;
  uint64_t rollbacks = 0;
};

Cluster::Cluster(ClusterOptions options) : state_(std::make_unique<State>(std::move(options))) {}

Cluster::~Cluster() = default;

World& Cluster::world() { return state_->world; }
Faults& Cluster::faults() { return state_->faults; }

Status Cluster::Start() {
  State& state = *state_;
  if (state.node_process == 0) PRIMUS_TRY(state.StoreJob());
  state.node_process = state.world.Spawn("node");
  state.node_network = state.net.NetworkOf(state.node_process);
  state.node_log = state.LoggerOf(state.node_process, "node");
  state.containers =
      std::make_unique<Containers>(state.world, state.faults, state.node_process,
                                   [&state](ProcessId process, const runtime::ContainerSpec& spec) {
                                     state.StartContainer(process, spec);
                                   });
  state.node = std::make_unique<node::Node>(
      node::JobRunWorld{state.world.EnvironmentOf(state.node_process).loop, state.objects,
                        *state.containers, *state.node_log},
      *state.node_network,
      node::NodeOptions{.binary = "primus",
                        .state_directory = state.directory + "/state",
                        .run_directory = state.directory + "/run",
                        .address = "sim:node"});
  PRIMUS_TRY(state.node->Listen());
  return state.node->StartJob(std::string(kJob));
}

Status Cluster::State::StoreJob() {
  config::Job job;
  job.mutable_metadata()->set_name(std::string(kJob));
  config::JobSpec* spec = job.mutable_spec();
  AddRole(spec, "ps", options.ps);
  AddRole(spec, "executor", options.executors);
  AddRole(spec, "trainer", options.trainers);
  spec->mutable_data();
  wire::StoredJob stored;
  stored.set_job(job.SerializeAsString());
  stored.set_storage(directory + "/storage");
  stored.set_work_directory(directory);
  api::Object object;
  object.kind = api::kJobKind;
  object.name = kJob;
  object.spec = stored.SerializeAsString();
  return objects.Create(object).status();
}

void Cluster::State::OnDeath(ProcessId process) {
  net.OnDeath(process);
  channels.OnDeath(process);
  if (process == node_process) {
    // The machine's rule: when node dies, all die.
    node.reset();
    for (const auto& [other, replica] : replicas) world.Kill(other);
  } else if (containers != nullptr) {
    containers->OnDeath(process);
  }
  replicas.erase(process);
}

std::unique_ptr<telemetry::Logger> Cluster::State::LoggerOf(ProcessId process,
                                                            const std::string& name) {
  return std::make_unique<telemetry::Logger>(
      name, world.EnvironmentOf(process).loop, [this](telemetry::Level, std::string_view line) {
        if (line.find("rollback to save point") != std::string_view::npos) ++rollbacks;
        lines.emplace_back(line);
        if (lines.size() > kTail) lines.pop_front();
      });
}

void Cluster::State::StartContainer(ProcessId process, const runtime::ContainerSpec& spec) {
  const Place place = PlaceOf(spec.id);
  Replica& replica = replicas[process];
  replica.role = place.role;
  replica.network = net.NetworkOf(process);
  replica.handover = channels.HandoverOf(process);
  replica.log = LoggerOf(process, place.role + "-" + std::to_string(place.index));
  if (place.role == "master") StartMaster(replica, process);
  if (place.role == "executor") StartExecutor(replica, process, place);
  if (place.role == "trainer") StartTrainer(replica, process, place);
  if (place.role == "ps") StartPs(replica, process, place);
}

std::function<void(Status)> Cluster::State::EndOf(ProcessId process) {
  return [this, process](const Status& status) { containers->Exit(process, status.ok() ? 0 : 1); };
}

member::SessionOptions Cluster::State::SessionOf(const Place& place, member::RoleKind kind) const {
  return {.replica = {place.role, place.index},
          .kind = kind,
          .container = place.container,
          .master = "sim:master",
          .own = "sim:" + place.container,
          .own_handover = kind == member::RoleKind::kTrainer ? "ring:" + place.container : ""};
}

void Cluster::State::StartMaster(Replica& replica, ProcessId process) {
  replica.planner = std::make_unique<CountedPlanner>(options.data);
  master::MasterOptions master;
  master.core.job = kJob;
  master.core.ps = options.ps;
  master.core.trainers = options.trainers;
  master.core.roles = {"ps", "executor", "trainer"};
  for (uint32_t pass = 0; pass < options.passes; ++pass) {
    data::PhaseScope scope;
    scope.phase = pass;
    scope.pass = pass;
    scope.shuffle = true;
    scope.shuffle_seed = Mix64(options.seed, pass);
    master.core.phases.push_back({scope, replica.planner->Windows("")});
  }
  master.core.save_every = options.save_every;
  master.core.storage_failures_max = 1000;
  master.core.merge_metrics = [](const std::vector<std::string>&) { return std::string(); };
  master.stream = "rows";
  master.address = "sim:master";
  master.node = "sim:node";
  master.task_rows_max = 50;
  master.describe = [](const master::Core&, wire::JobStatus*) {};
  master.on_end = [this, process](int code) { containers->Exit(process, code); };
  replica.master = std::make_unique<master::Master>(
      master::MasterWorld{world.EnvironmentOf(process), *replica.network, blobs, *replica.planner,
                          *replica.log},
      std::move(master));
  replica.master->Start();
}

void Cluster::State::StartExecutor(Replica& replica, ProcessId process, const Place& place) {
  replica.streams = std::make_unique<CountedStreams>(options.data);
  executor::Executor::Options executor;
  executor.session = SessionOf(place, member::RoleKind::kExecutor);
  executor.core.batch.batch_rows = options.batch_size;
  executor.core.rows_buffered_max = 256;
  executor.layout = CountedLayout();
  executor.channel = {.slots = 4, .slot_bytes_max = 1 << 14};
  executor.build = "sim";
  auto made = executor::Executor::Create({world.EnvironmentOf(process), *replica.network,
                                          *replica.handover, *replica.streams, *replica.log},
                                         std::move(executor), EndOf(process));
  PRIMUS_CHECK(made.ok(), made.status().ToString());
  replica.executor = *std::move(made);
}

void Cluster::State::StartTrainer(Replica& replica, ProcessId process, const Place& place) {
  trainer::TrainerOptions trainer;
  trainer.session = SessionOf(place, member::RoleKind::kTrainer);
  trainer.plan = CountingPlan();
  trainer.build = "sim";
  std::vector<std::unique_ptr<train::Step>> steps;
  for (int i = 0; i < 3; ++i) steps.push_back(std::make_unique<CountingStep>());
  auto made = trainer::Trainer::Create(
      {world.EnvironmentOf(process), *replica.network, *replica.handover, blobs, *replica.log},
      std::move(trainer), std::move(steps), EndOf(process));
  PRIMUS_CHECK(made.ok(), made.status().ToString());
  replica.trainer = *std::move(made);
}

void Cluster::State::StartPs(Replica& replica, ProcessId process, const Place& place) {
  ps::PsOptions ps;
  ps.job = kJob;
  ps.session = SessionOf(place, member::RoleKind::kPs);
  ps.plan = CountingPlan();
  ps.shards = jobspec::ShardsOfPs(place.index, options.ps);
  ps.new_store = [shards = ps.shards] {
    return Result<std::unique_ptr<embedding::ShardStore>>(std::make_unique<CountingStore>(shards));
  };
  ps.on_end = EndOf(process);
  replica.ps =
      std::make_unique<ps::Ps>(world.EnvironmentOf(process),
                               ps::PsSeams{*replica.network, blobs, *replica.log}, std::move(ps));
  const Status started = replica.ps->Start();
  PRIMUS_CHECK(started.ok(), started.ToString());
}

wire::JobStatus Cluster::State::Status_() const {
  wire::JobStatus status;
  api::MemoryObjectStore& store = const_cast<api::MemoryObjectStore&>(objects);
  const Result<api::Object> object = store.Get(api::kJobKind, kJob);
  if (object.ok()) status.ParseFromString(object->status);
  return status;
}

bool Cluster::Over() const {
  return api::FindTerminal(state_->Status_()) != nullptr && state_->replicas.empty() &&
         (state_->node == nullptr || !state_->node->has_running_jobs());
}

std::string Cluster::Ending() const {
  const wire::JobStatus status = state_->Status_();
  const wire::Condition* terminal = api::FindTerminal(status);
  if (terminal == nullptr) return "no end";
  return terminal->type() == api::kFailed ? "Failed: " + terminal->message() : terminal->type();
}

Result<wire::Manifest> Cluster::State::NewestManifest() {
  const Faults calm = std::exchange(faults, Faults{});
  savepoint::RecordLog log(blobs);
  const Result<std::vector<wire::Record>> records = log.Load();
  faults = calm;
  if (!records.ok()) return records.status();
  if (records->empty()) return NotFoundError("no records");
  const wire::Record& newest = records->back();
  const uint64_t number = newest.has_begin() ? newest.begin().from_record() : newest.number();
  for (const wire::Record& record : *records) {
    if (record.number() == number && record.has_manifest()) return record.manifest();
  }
  return NotFoundError("no save point");
}

Status Cluster::CheckCounts() const {
  PRIMUS_ASSIGN(const wire::Manifest manifest, state_->NewestManifest());
  KeyCounts counts;
  for (const wire::Part& part : manifest.parts()) {
    PRIMUS_ASSIGN(const std::string bytes, state_->blobs.Get(part.name()));
    PRIMUS_TRY(CountingStore::ReadPart(bytes, &counts));
  }
  const std::vector<uint64_t> keys = state_->planner.Keys();
  if (counts.size() != keys.size()) {
    return InternalError("keys in the model: " + std::to_string(counts.size()) +
                         ", rows: " + std::to_string(keys.size()));
  }
  for (const uint64_t key : keys) {
    if (counts[key] == state_->options.passes) continue;
    return InternalError("key " + std::to_string(key) + " was trained " +
                         std::to_string(counts[key]) + " times");
  }
  return OkStatus();
}

Status Cluster::CheckRows() const {
  PRIMUS_ASSIGN(const wire::Manifest manifest, state_->NewestManifest());
  const data::RowCounts counts = savepoint::FromWire(manifest.position()).counts;
  PRIMUS_TRY(data::CheckBalance(counts));
  uint64_t rows = 0;
  for (const uint64_t window : state_->options.data.window_rows) rows += window;
  rows *= state_->options.passes;
  if (counts.read == rows) return OkStatus();
  return InternalError("rows read: " + std::to_string(counts.read) + " of " + std::to_string(rows));
}

std::vector<ProcessId> Cluster::Processes(const std::string& role) const {
  if (role == "node") return {state_->node_process};
  std::vector<ProcessId> found;
  for (const auto& [process, replica] : state_->replicas) {
    if (replica.role == role) found.push_back(process);
  }
  return found;
}

void Cluster::Partition(ProcessId a, ProcessId b, Duration duration) {
  state_->net.Partition(a, b, duration);
}

uint64_t Cluster::rollbacks() const { return state_->rollbacks; }

std::vector<std::string> Cluster::tail() const {
  return {state_->lines.begin(), state_->lines.end()};
}

}  // namespace primus::sim
