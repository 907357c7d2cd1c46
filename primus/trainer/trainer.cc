#include "primus/trainer/trainer.h"

#include <algorithm>
#include <map>
#include <utility>

#include "primus/base/check.h"
#include "primus/batch/wire_spans.h"
#include "primus/handover/hello.h"
#include "primus/member/methods.h"
#include "primus/member/wire_stamp.h"
#include "primus/rpc/client.h"
#include "primus/rpc/server.h"
#include "primus/train/plan_model.h"
#include "primus/trainer/routing.h"
#include "primus/trainer/work.h"

#include "proto/wire/control.pb.h"
#include "proto/wire/parameters.pb.h"

namespace primus::trainer {

struct Trainer::State : std::enable_shared_from_this<State> {
  State(const TrainerWorld& trainer_world, TrainerOptions trainer_options,
        std::vector<std::unique_ptr<train::Step>> steps, std::function<void(Status)> end)
      : world(trainer_world),
        options(std::move(trainer_options)),
        layout(train::LayoutOf(options.plan)),
        lanes(std::move(steps)),
        on_end(std::move(end)),
        core({.steps_max = lanes.size(), .overlap = options.overlap}),
        server(world.network),
        wake(world.environment.loop) {}

  Status Start();
  void Deliver(const Event& event);
  void ScheduleWake();
  Moment Here() const;

  void Do(const TakeBatch& order);
  void Do(const PrepareStep& order);
  void Do(const SendPull& order);
  void Do(const RunStep& order);
  void Do(const SendPush& order);
  void Do(const ReleaseSlot& order) { works.at(order.step)->Release(); }
  void Do(const ForgetStep& order);
  void Do(const CloseRing& order) { rings.erase(order.ring); }
  void Do(const ReportSoon& /*order*/) { session->ReportSoon(); }
  void Do(const FailJob& order);
  void Do(const EndReplica& order) { End(order.status); }

  void Adopt();
  void ConnectPs(const wire::Directive& directive);
  Status AdmitWriter(const handover::Hello& hello) const;
  void OpenRing(std::unique_ptr<handover::Reader> reader);
  void OnPullAnswer(const SendPull& order, const Result<rpc::Answer<wire::PullResponse>>& answer);
  void KeepBatch(const Work& work, const Status& status);
  void End(const Status& status);

  struct Ps {
    Incarnation incarnation = 0;
    std::unique_ptr<rpc::Client> client;
  };

  TrainerWorld world;
  TrainerOptions options;
  batch::Layout layout;
  std::vector<std::unique_ptr<train::Step>> lanes;  // those that are free
  std::function<void(Status)> on_end;
  TrainerCore core;
  rpc::Server server;
  env::Timer wake;
  std::unique_ptr<member::Session> session;
  std::unique_ptr<handover::Acceptor> acceptor;
  std::vector<Ps> ps;  // by ordinal in the view
  std::shared_ptr<const Routing> routing;
  std::map<RingId, std::shared_ptr<handover::Reader>> rings;
  RingId next_ring = 1;
  std::map<StepId, std::shared_ptr<Work>> works;
};

Result<std::unique_ptr<Trainer>> Trainer::Create(const TrainerWorld& world, TrainerOptions options,
                                                 std::vector<std::unique_ptr<train::Step>> steps,
                                                 std::function<void(Status)> on_end) {
  PRIMUS_CHECK(!steps.empty(), "a trainer runs at least one step at a time");
  auto state =
      std::make_shared<State>(world, std::move(options), std::move(steps), std::move(on_end));
  PRIMUS_TRY(state->Start());
  return std::unique_ptr<Trainer>(new Trainer(std::move(state)));
}

Trainer::Trainer(std::shared_ptr<State> state) : state_(std::move(state)) {}
Trainer::~Trainer() = default;

Status Trainer::State::Start() {
  session = std::make_unique<member::Session>(
      world.environment, world.network, server, world.log, options.session,
      member::Session::Callbacks{
          .on_directive = [this] { Adopt(); },
          .fill_status =
              [this](wire::ReplicaStatus* status) { core.FillStatus(status->mutable_trainer()); },
          .on_end = [this](const Status& status) { End(status); }});
  PRIMUS_TRY(server.Listen(options.session.own));
  PRIMUS_ASSIGN(acceptor, world.handover.Listen(
                              options.session.own_handover,
                              [this](const handover::Hello& hello) { return AdmitWriter(hello); },
                              [this](std::unique_ptr<handover::Reader> reader) {
                                OpenRing(std::move(reader));
                              }));
  session->Start();
  return OkStatus();
}

Moment Trainer::State::Here() const {
  return {.now = world.environment.loop.Get().monotonic,
          .lease = session->lease_valid() ? Moment::Lease::kValid : Moment::Lease::kLapsed};
}

void Trainer::State::Deliver(const Event& event) {
  for (const Effect& effect : core.On(event, Here())) {
    std::visit([this](const auto& order) { Do(order); }, effect);
  }
  ScheduleWake();
}

void Trainer::State::ScheduleWake() {
  const std::optional<Instant> next = core.next_wake();
  if (!next) return wake.Cancel();
  const Duration delay = *next - world.environment.loop.Get().monotonic;
  wake.Set(std::max(delay, Duration(0)), [this] { Deliver(Woken{}); });
}

void Trainer::State::End(const Status& status) {
  if (!on_end) return;
  // Posted: the owner may destroy the trainer in it.
  world.environment.loop.Post([end = std::exchange(on_end, nullptr), status] { end(status); });
}

// --- membership

void Trainer::State::Adopt() {
  const wire::Directive& directive = session->directive();
  if (directive.mode() == wire::RUN) ConnectPs(directive);
  Deliver(DirectiveAdopted{&directive});
}

// Clients in the order of the view's ps. The set changes only in a rollback, when nothing waits
// for an answer.
void Trainer::State::ConnectPs(const wire::Directive& directive) {
  std::map<ReplicaId, const wire::Member*> members;
  for (const wire::Member& member : directive.members()) {
    if (member.kind() != wire::PS) continue;
    members[{member.replica().role(), member.replica().index()}] = &member;
  }
  const bool same = std::equal(members.begin(), members.end(), ps.begin(), ps.end(),
                               [](const auto& member, const Ps& known) {
                                 return member.second->incarnation() == known.incarnation;
                               });
  if (same && routing != nullptr) return;
  ps.clear();
  for (const auto& [replica, member] : members) {
    ps.push_back({.incarnation = member->incarnation(),
                  .client = std::make_unique<rpc::Client>(world.environment, world.network,
                                                          member->rpc_address())});
  }
  routing = std::make_shared<Routing>(options.plan, static_cast<uint32_t>(ps.size()));
}

// --- rings

Status Trainer::State::AdmitWriter(const handover::Hello& hello) const {
  const handover::Hello own{.protocol = handover::Hello().protocol,
                            .build = options.build,
                            .schema = batch::Hash(layout),
                            .writer = hello.writer,
                            .reader = session->incarnation(),
                            .flow = hello.flow};
  PRIMUS_TRY(handover::CheckHello(own, hello));
  if (hello.reader != own.reader) {
    return FailedPreconditionError("the hello is for incarnation " + std::to_string(hello.reader));
  }
  return core.AdmitWriter(hello.writer, hello.flow);
}

void Trainer::State::OpenRing(std::unique_ptr<handover::Reader> reader) {
  const RingId id = next_ring++;
  std::shared_ptr<handover::Reader> shared = std::move(reader);
  const handover::Hello hello = shared->hello();
  rings[id] = shared;
  // Weak: a reader that a step still needs may outlive the trainer.
  const std::weak_ptr<State> weak = weak_from_this();
  shared->Observe(
      [weak, id] {
        if (const auto self = weak.lock()) self->Deliver(RingReady{id});
      },
      [weak, id] {
        if (const auto self = weak.lock()) self->Deliver(RingClosed{id});
      });
  world.log.Info("ring opened", {{"writer", hello.writer}, {"flow", hello.flow}});
  Deliver(RingOpened{.ring = id, .writer = hello.writer, .flow = hello.flow});
}

void Trainer::State::Do(const TakeBatch& order) {
  const auto ring = rings.find(order.ring);
  std::optional<handover::Slot> slot;
  if (ring != rings.end()) slot = ring->second->TryTake();
  if (!slot) return Deliver(RingEmpty{order.ring});
  auto work = std::make_shared<Work>();
  work->id = order.step;
  work->reader = ring->second;
  work->slot = *slot;
  Result<batch::MiniBatchView> view = batch::MiniBatchView::Open(layout, slot->bytes);
  if (!view.ok()) {
    const Incarnation writer = ring->second->hello().writer;
    work->Release();
    session->Fail(view.status().WithContext("batch of incarnation", std::to_string(writer)));
    return Deliver(RingEmpty{order.ring});
  }
  work->view = std::move(view).value();
  work->spans = {work->view->spans().begin(), work->view->spans().end()};
  work->info = work->view->info();
  work->rows = work->view->rows();
  works[order.step] = work;
  Deliver(BatchTaken{.step = order.step,
                     .ring = order.ring,
                     .info = work->info,
                     .rows = work->rows,
                     .spans = work->spans});
}

// --- steps

void Trainer::State::Do(const PrepareStep& order) {
  const std::shared_ptr<Work> work = works.at(order.step);
  PRIMUS_CHECK(!lanes.empty(), "as many steps in flight as lanes");
  work->lane = std::move(lanes.back());
  lanes.pop_back();
  work->routing = routing;
  world.environment.pool.Run(
      [work] {
        work->keys = work->lane->Prepare(*work->view);
        work->route = work->routing->RouteKeys(work->keys);
        work->pulled = work->routing->MakeRoom(work->keys);
      },
      [weak = weak_from_this(), step = order.step] {
        if (const auto self = weak.lock()) self->Deliver(StepPrepared{step});
      });
}

void Trainer::State::Do(const SendPull& order) {
  const Work& work = *works.at(order.step);
  wire::PullRequest request;
  member::ToWire(session->stamp(), request.mutable_stamp());
  request.set_trainer(session->incarnation());
  request.set_create(work.info.purpose != batch::Purpose::kHoldout);
  std::string payload = work.routing->WritePull(work.keys, work.route, order.ps, &request);
  ps.at(order.ps).client->Call<wire::PullRequest, wire::PullResponse>(
      member::kPull, request, std::move(payload), {},
      [weak = weak_from_this(), order](const Result<rpc::Answer<wire::PullResponse>>& answer) {
        if (const auto self = weak.lock()) self->OnPullAnswer(order, answer);
      });
}

void Trainer::State::OnPullAnswer(const SendPull& order,
                                  const Result<rpc::Answer<wire::PullResponse>>& answer) {
  const auto found = works.find(order.step);
  if (found == works.end()) return;
  Work& work = *found->second;
  Status status = answer.status();
  if (answer.ok()) {
    status = work.routing->ReadPull(work.route, order.ps, {answer->message, answer->payload},
                                    &work.pulled);
  }
  Deliver(PullAnswered{.step = order.step, .ps = order.ps, .status = status});
}

void Trainer::State::Do(const RunStep& order) {
  const std::shared_ptr<Work> work = works.at(order.step);
  world.environment.pool.Run(
      [work] {
        work->result = work->lane->Run({.batch = *work->view,
                                        .keys = work->keys,
                                        .rows = work->pulled.rows,
                                        .dense = work->pulled.dense});
      },
      [weak = weak_from_this(), work] {
        const auto self = weak.lock();
        if (!self) return;
        Result<train::StepResult>& result = *work->result;
        if (result.ok()) {
          self->Deliver(StepRan{.step = work->id, .scores = std::move(result->scores)});
        } else {
          self->Deliver(StepRefused{.step = work->id, .status = result.status()});
        }
      });
}

void Trainer::State::Do(const SendPush& order) {
  const Work& work = *works.at(order.step);
  const train::StepResult& result = work.result->value();
  wire::PushRequest request;
  member::ToWire(session->stamp(), request.mutable_stamp());
  request.set_trainer(session->incarnation());
  request.set_step(order.number);
  request.set_lowest_unacknowledged(order.lowest_unacknowledged);
  batch::AddSpans(work.spans, request.mutable_spans());
  std::string payload = work.routing->WritePush({.keys = work.keys,
                                                 .route = work.route,
                                                 .gradients = result.gradients,
                                                 .dense_gradient = result.dense_gradient},
                                                order.ps, &request);
  ps.at(order.ps).client->Call<wire::PushRequest, wire::PushResponse>(
      member::kPush, request, std::move(payload), {},
      [weak = weak_from_this(), order](const Result<rpc::Answer<wire::PushResponse>>& answer) {
        const auto self = weak.lock();
        if (!self) return;
        self->Deliver(PushAnswered{.step = order.step, .ps = order.ps, .status = answer.status()});
      });
}

void Trainer::State::Do(const ForgetStep& order) {
  const auto found = works.find(order.step);
  if (found == works.end()) return;
  found->second->Release();
  if (found->second->lane != nullptr) lanes.push_back(std::move(found->second->lane));
  works.erase(found);
}

// --- failures

void Trainer::State::Do(const FailJob& order) {
  const auto found = works.find(order.step);
  if (found == works.end()) return session->Fail(order.status);
  const Work& work = *found->second;
  KeepBatch(work, order.status.WithContext(Coordinates(work.spans)));
}

// Keeps the batch's bytes for a look, then fails the job with a word on where they are.
void Trainer::State::KeepBatch(const Work& work, const Status& status) {
  const std::string name = "refused/" + ToString(options.session.replica) + ".i" +
                           std::to_string(session->incarnation()) + ".b" + std::to_string(work.id) +
                           ".batch";
  const auto bytes = std::make_shared<const std::string>(
      reinterpret_cast<const char*>(work.slot.bytes.data()), work.slot.bytes.size());
  const auto kept = std::make_shared<Status>();
  world.environment.pool.Run(
      [blobs = &world.blobs, name, bytes, kept] { *kept = blobs->PutIfAbsent(name, *bytes); },
      [weak = weak_from_this(), name, status, kept] {
        const auto self = weak.lock();
        if (!self) return;
        const std::string where = kept->ok() ? "the batch is kept as " + name
                                             : "the batch could not be kept: " + kept->ToString();
        self->session->Fail(Status(status.code(), status.message() + "; " + where));
      });
}

}  // namespace primus::trainer
