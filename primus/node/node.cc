#include "primus/node/node.h"

#include <utility>

#include "primus/api/conditions.h"
#include "primus/api/methods.h"

#include "proto/wire/node.pb.h"

namespace primus::node {

Node::Node(const JobRunWorld& world, rpc::Network& network, NodeOptions options)
    : store_(world.store, world.loop),
      world_{world.loop, store_, world.runtime, world.log},
      options_(std::move(options)),
      objects_(world.loop, store_),
      server_(network),
      self_(std::make_shared<Node*>(this)) {
  objects_.Register(server_);
  RegisterMasterMethods();
  store_.OnChange([this] { OnStoreChange(); });
  store_.OnLost([this](const Status& failure) { OnStoreLost(failure); });
  world_.runtime.OnChange([this] {
    for (const auto& [name, run] : runs_) run->OnRuntimeChange();
  });
}

Node::~Node() {
  *self_ = nullptr;
  store_.OnChange(nullptr);
  world_.runtime.OnChange(nullptr);
}

Status Node::Listen() {
  PRIMUS_TRY(SuspendLeftJobs());
  return server_.Listen(options_.address);
}

JobRun* Node::FindRun(const std::string& name) {
  const auto it = runs_.find(name);
  return it == runs_.end() ? nullptr : it->second.get();
}

void Node::RegisterMasterMethods() {
  server_.Handle(api::kObserve, [this](const wire::ObserveRequest& request, const std::string&,
                                       rpc::Reply<wire::ObserveResponse> reply) {
    JobRun* run = FindRun(request.job());
    if (run == nullptr) return reply(NotFoundError("no job " + request.job() + " runs here"));
    run->Observe(request, std::move(reply));
  });
  server_.Handle(api::kLoseContainer,
                 [this](const wire::LoseContainerRequest& request, const std::string&,
                        const rpc::Reply<wire::LoseContainerResponse>& reply) {
                   JobRun* run = FindRun(request.job());
                   if (run == nullptr) {
                     return reply(NotFoundError("no job " + request.job() + " runs here"));
                   }
                   run->LoseContainer(request, reply);
                 });
}

// A write may come from the middle of a run's own work: everybody looks in the next turn.
void Node::OnStoreChange() {
  if (std::exchange(look_pending_, true)) return;
  world_.loop.Post([self = self_] {
    Node* node = *self;
    if (node == nullptr) return;
    node->look_pending_ = false;
    node->objects_.OnStoreChange();
    for (const auto& [name, run] : node->runs_) run->OnObjectChange();
  });
}

// A job whose state cannot be kept is stopped where its last save point can be resumed from. The
// write that failed is in the middle of a run's own work: the runs hear of it in the next turn.
void Node::OnStoreLost(const Status& failure) {
  world_.log.Error("the object store is lost, stopping all jobs", {{"error", failure}});
  world_.loop.Post([self = self_] {
    Node* node = *self;
    if (node == nullptr) return;
    for (const auto& [name, run] : node->runs_) run->StopNow();
  });
}

Status Node::StartJob(const std::string& name) {
  JobRun* before = FindRun(name);
  if (before != nullptr && !before->is_over()) {
    return FailedPreconditionError("the job " + name + " runs already");
  }
  PRIMUS_ASSIGN(const api::Object object, world_.store.Get(api::kJobKind, name));
  JobPlaces places{
      .binary = options_.binary,
      .job_file = options_.state_directory + "/jobs/" + name + "/job.pb",
      .run_directory = options_.run_directory + "/" + std::to_string(++started_),
      .node_address = options_.address,
  };
  PRIMUS_ASSIGN(runs_[name], JobRun::Start(world_, object, std::move(places), [this, name] {
                  if (options_.on_job_over) options_.on_job_over(name);
                }));
  return OkStatus();
}

void Node::StopJob(const std::string& name) {
  if (JobRun* run = FindRun(name)) run->Stop();
}

void Node::StopJobNow(const std::string& name) {
  if (JobRun* run = FindRun(name)) run->StopNow();
}

bool Node::has_running_jobs() const {
  for (const auto& [name, run] : runs_) {
    if (!run->is_over()) return true;
  }
  return false;
}

Status Node::SuspendLeftJobs() {
  PRIMUS_ASSIGN(const api::ObjectList list, world_.store.List(api::kJobKind));
  for (api::Object object : list.objects) {
    wire::JobStatus status;
    if (!status.ParseFromString(object.status)) continue;  // shown as it is by `describe`
    if (!api::IsTrue(status, api::kRunning) || api::FindTerminal(status) != nullptr) continue;
    const WallTime now = world_.loop.Get().wall;
    api::SetCondition(&status,
                      {.type = api::kRunning, .truth = api::Truth::kFalse, .reason = "NodeDied"},
                      now, object.generation);
    api::SetCondition(&status,
                      {.type = api::kSuspended,
                       .reason = "NodeDied",
                       .message = "its node died; resume goes on from the last save point"},
                      now, object.generation);
    object.status = status.SerializeAsString();
    PRIMUS_TRY(world_.store.UpdateStatus(object).status());
  }
  return OkStatus();
}

}  // namespace primus::node
