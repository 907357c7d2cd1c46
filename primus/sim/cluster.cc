#include "primus/sim/cluster.h"

#include <stdlib.h>

#include <filesystem>
#include <utility>

#include "primus/api/conditions.h"
#include "primus/api/memory_object_store.h"
#include "primus/node/node.h"
#include "primus/sim/crew.h"
#include "primus/sim/runtime.h"
#include "primus/sim/witness.h"
#include "primus/telemetry/logger.h"

#include "proto/config/job.pb.h"
#include "proto/wire/node.pb.h"

namespace primus::sim {
namespace {

void AddRole(config::JobSpec* spec, const std::string& name, uint32_t replicas,
             uint32_t restarts_max) {
  config::Role* role = spec->add_roles();
  role->set_name(name);
  role->set_replicas(replicas);
  if (name == "ps") role->mutable_ps();
  if (name == "executor") role->mutable_executor();
  if (name == "trainer") role->mutable_trainer();
  role->mutable_restart()->set_limit(restarts_max);
}

}  // namespace

struct Cluster::State {
  State(ClusterOptions cluster_options, std::function<void(std::string_view)> sink)
      : options(std::move(cluster_options)),
        log(std::move(sink)),
        faults(options.faults),
        world(options.seed),
        net(world, faults),
        channels(world),
        blobs(world, faults),
        expected(options.data, kTaskRowsMax),
        watch(options.ps),
        records(blobs, expected, verdict),
        witness(watch, records, verdict),
        crew({world, net, channels, blobs, Sink(),
              [this](ProcessId process, int code) { containers->Exit(process, code); }},
             options) {
    std::string pattern = (std::filesystem::temp_directory_path() / "primus-sim-XXXXXX").string();
    directory = ::mkdtemp(pattern.data());
    world.OnDeath([this](ProcessId process) { OnDeath(process); });
    world.OnWork([this] { return ExtraWork(); });
    net.OnSent([this](const Sent& sent) { witness.OnSent(sent); });
    blobs.OnChange([this](const std::string& name, const std::string* bytes) {
      records.OnChange(name, bytes);
    });
  }
  ~State() {
    node.reset();
    std::filesystem::remove_all(directory);
  }

  telemetry::Sink Sink();
  Duration ExtraWork();
  void OnDeath(ProcessId process);
  Status StoreJob();
  wire::JobStatus JobStatus();

  ClusterOptions options;
  std::function<void(std::string_view)> log;
  Faults faults;
  World world;
  Net net;
  Channels channels;
  Blobs blobs;
  Verdict verdict;
  ExpectedModel expected;
  JobWatch watch;
  RecordOracle records;
  Witness witness;
  api::MemoryObjectStore objects;
  std::string directory;
  ProcessId node_process = 0;
  std::unique_ptr<rpc::Network> node_network;
  std::unique_ptr<telemetry::Logger> node_log;
  std::unique_ptr<Containers> containers;
  std::unique_ptr<node::Node> node;
  Crew crew;
  uint64_t rollbacks = 0;
};

Cluster::Cluster(ClusterOptions options, std::function<void(std::string_view)> log)
    : state_(std::make_unique<State>(std::move(options), std::move(log))) {}

Cluster::~Cluster() = default;

World& Cluster::world() { return state_->world; }
Faults& Cluster::faults() { return state_->faults; }
JobWatch& Cluster::watch() { return state_->watch; }
const Status& Cluster::verdict() const { return state_->verdict.status(); }

Status Cluster::Start() {
  State& state = *state_;
  if (state.node_process == 0) PRIMUS_TRY(state.StoreJob());
  state.node_process = state.world.Spawn("node");
  state.node_network = state.net.NetworkOf(state.node_process);
  state.node_log = std::make_unique<telemetry::Logger>(
      "node", state.world.EnvironmentOf(state.node_process).loop, state.Sink());
  state.containers =
      std::make_unique<Containers>(state.world, state.faults, state.node_process,
                                   [&state](ProcessId process, const runtime::ContainerSpec& spec) {
                                     state.crew.Start(process, spec);
                                   });
  state.containers->OnDisown([&state](ProcessId process) { state.net.Disown(process); });
  state.node = std::make_unique<node::Node>(
      node::JobRunWorld{state.world.EnvironmentOf(state.node_process).loop, state.objects,
                        *state.containers, *state.node_log},
      *state.node_network,
      node::NodeOptions{.binary = "primus",
                        .state_directory = state.directory + "/state",
                        .run_directory = state.directory + "/run",
                        .address = "sim:node"});
  PRIMUS_TRY(state.node->Listen());
  return ResumeJob();
}

Status Cluster::State::StoreJob() {
  config::Job job;
  job.mutable_metadata()->set_name(std::string(kJobName));
  config::JobSpec* spec = job.mutable_spec();
  AddRole(spec, "ps", options.ps, options.restarts_max);
  AddRole(spec, "executor", options.executors, options.restarts_max);
  AddRole(spec, "trainer", options.trainers, options.restarts_max);
  spec->mutable_data();
  wire::StoredJob stored;
  stored.set_job(job.SerializeAsString());
  stored.set_storage(directory + "/storage");
  stored.set_work_directory(directory);
  api::Object object;
  object.kind = api::kJobKind;
  object.name = kJobName;
  object.spec = stored.SerializeAsString();
  return objects.Create(object).status();
}

void Cluster::State::OnDeath(ProcessId process) {
  net.OnDeath(process);
  channels.OnDeath(process);
  watch.OnDeath(process);
  if (process == node_process) {
    // The machine's rule: when node dies, all die.
    node.reset();
    for (const ProcessId other : crew.Processes()) world.Kill(other);
  } else if (containers != nullptr) {
    containers->OnDeath(process);
  }
  crew.Remove(process);
}

telemetry::Sink Cluster::State::Sink() {
  return [this](telemetry::Level, std::string_view line) {
    if (line.find("rollback to save point") != std::string_view::npos) ++rollbacks;
    log(line);
  };
}

// A slow disk.
Duration Cluster::State::ExtraWork() {
  if (faults.slow_work <= 0 || world.random().NextUnit() >= faults.slow_work) return Duration(0);
  faults.hits.Hit("disk.slow");
  const auto longest = static_cast<uint64_t>(faults.slow_work_max.count());
  return Duration(static_cast<int64_t>(world.random().Below(longest)));
}

wire::JobStatus Cluster::State::JobStatus() {
  wire::JobStatus status;
  const Result<api::Object> object = objects.Get(api::kJobKind, kJobName);
  if (object.ok()) status.ParseFromString(object->status);
  return status;
}

void Cluster::StopJob() {
  if (state_->node != nullptr) state_->node->StopJob(std::string(kJobName));
}

bool Cluster::IsSuspended() const {
  return state_->node != nullptr && !state_->node->has_running_jobs() &&
         api::FindTerminal(state_->JobStatus()) == nullptr;
}

Status Cluster::ResumeJob() { return state_->node->StartJob(std::string(kJobName)); }

bool Cluster::Over() const {
  return api::FindTerminal(state_->JobStatus()) != nullptr &&
         state_->crew.Processes().size() == state_->containers->disowned().size() &&
         (state_->node == nullptr || !state_->node->has_running_jobs());
}

std::string Cluster::Ending() const {
  const wire::JobStatus status = state_->JobStatus();
  const wire::Condition* terminal = api::FindTerminal(status);
  if (terminal == nullptr) return "no end";
  return terminal->type() == api::kFailed ? "Failed: " + terminal->message() : terminal->type();
}

Status Cluster::CheckComplete() const {
  return state_->records.CheckComplete(state_->options.passes);
}

std::vector<ProcessId> Cluster::Processes(const std::string& role) const {
  if (role != "node") return state_->crew.Processes(role);
  if (state_->world.StateOf(state_->node_process) == ProcessState::kDead) return {};
  return {state_->node_process};
}

void Cluster::Partition(ProcessId a, ProcessId b, Duration duration) {
  state_->net.Partition(a, b, duration);
}

void Cluster::HealPartitions() { state_->net.Heal(); }

void Cluster::Disown(ProcessId process) { state_->containers->Disown(process); }

std::vector<ProcessId> Cluster::Disowned() const {
  const std::set<ProcessId>& disowned = state_->containers->disowned();
  return {disowned.begin(), disowned.end()};
}

void Cluster::Note(const std::string& what) {
  telemetry::Logger("world", state_->world.EnvironmentOf(0).loop, state_->Sink()).Info(what);
}

uint64_t Cluster::rollbacks() const { return state_->rollbacks; }

}  // namespace primus::sim
