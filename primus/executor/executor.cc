#include "primus/executor/executor.h"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "primus/batch/minibatch.h"
#include "primus/executor/stream_reading.h"
#include "primus/member/methods.h"
#include "primus/member/wire_stamp.h"
#include "primus/rpc/client.h"
#include "primus/rpc/server.h"

#include "proto/wire/control.pb.h"

namespace primus::executor {
namespace {

Standing StandingOf(const wire::Directive& directive) {
  const bool member = std::any_of(
      directive.members().begin(), directive.members().end(),
      [&](const wire::Member& m) { return m.incarnation() == directive.incarnation(); });
  if (directive.mode() == wire::ATTACH) return Standing::kAttached;
  return directive.mode() == wire::RUN && member ? Standing::kRunning : Standing::kFenced;
}

std::vector<Trainer> TrainersOf(const wire::Directive& directive) {
  std::vector<Trainer> trainers;
  for (const wire::Member& member : directive.members()) {
    if (member.kind() != wire::TRAINER) continue;
    trainers.push_back({.replica = {member.replica().role(), member.replica().index()},
                        .incarnation = member.incarnation(),
                        .address = member.handover_address()});
  }
  return trainers;
}

struct Ring {
  Trainer trainer;
  std::unique_ptr<handover::Writer> writer;
  std::optional<handover::Slot> slot;  // reserved, for the next batch
};

}  // namespace

struct Executor::State : std::enable_shared_from_this<Executor::State> {
  State(const Seams& given, Options executor_options, std::function<void(Status)> end)
      : seams(given),
        options(std::move(executor_options)),
        schema(batch::Hash(options.layout)),
        on_end(std::move(end)),
        core(options.core),
        server(seams.network),
        session(seams.environment, seams.network, server, seams.log, options.session,
                {.on_directive = [this] { OnDirective(); },
                 .fill_status = [](wire::ReplicaStatus*) {},
                 .on_end = [this](const Status& status) { End(status); }}),
        master(seams.environment, seams.network, options.session.master),
        reading(seams.environment.pool, seams.streams,
                [this](ReadId read, StreamReading::Outcome outcome) {
                  OnRead(read, std::move(outcome));
                }),
        wake(seams.environment.loop) {}

  void OnDirective();
  void OnRead(ReadId read, StreamReading::Outcome outcome);
  void OnRing(Rings::RingId id, const Trainer& trainer,
              Result<std::unique_ptr<handover::Writer>> writer);
  void End(const Status& status);

  void Handle(Event event);
  void Do(AskLease effect);
  void Do(OpenTask effect) { reading.Open(std::move(effect)); }
  void Do(ReadRows effect) { reading.Read(effect); }
  void Do(CloseTask /*effect*/) { reading.Close(); }
  void Do(OpenRing effect);
  void Do(CloseRing effect);
  void Do(SendBatch effect);
  void Do(FailJob effect) { session.Fail(effect.error); }
  void Do(EndReplica effect);
  void Reserve(Rings::RingId id);

  const Seams seams;
  const Options options;
  const uint64_t schema;
  std::function<void(Status)> on_end;
  ExecutorCore core;
  rpc::Server server;
  member::Session session;
  rpc::Client master;
  StreamReading reading;
  env::Timer wake;
  std::map<Rings::RingId, Ring> rings;
  std::deque<Event> events;
  bool handling = false;
  bool ended = false;
};

// Effects may bring events at once; these wait until the effects before them are done.
void Executor::State::Handle(Event event) {
  events.push_back(std::move(event));
  if (handling || ended) return;
  handling = true;
  while (!events.empty()) {
    Event next = std::move(events.front());
    events.pop_front();
    for (Effect& effect : core.On(std::move(next), seams.environment.loop.Get().monotonic)) {
      std::visit([this](auto&& e) { Do(std::move(e)); }, std::move(effect));
    }
  }
  handling = false;
  const std::optional<Instant> next = core.next_wake();
  if (!next) return wake.Cancel();
  const Duration delay = *next - seams.environment.loop.Get().monotonic;
  wake.Set(std::max(delay, Duration(0)), [this] { Handle(Woken{}); });
}

void Executor::State::OnDirective() {
  const wire::Directive& directive = session.directive();
  Handle(DirectiveAdopted{.standing = StandingOf(directive),
                          .flow = {directive.flow().attempt(), directive.flow().view(), 0},
                          .trainers = TrainersOf(directive)});
}

void Executor::State::OnRead(ReadId read, StreamReading::Outcome outcome) {
  if (!outcome.ok()) {
    seams.log.Warn("read failed", {{"error", outcome.status()}});
    return Handle(ReadFailed{read, outcome.status()});
  }
  if (!outcome->has_value()) return Handle(TaskEnded{read});
  Handle(RowsCame{read, std::make_shared<const batch::EncodedRows>(std::move(**outcome))});
}

void Executor::State::Do(AskLease effect) {
  const auto refuse = [&](const Status& error) {
    Handle(LeaseAnswered{.request = effect.request, .answer = error});
  };
  if (!session.lease_valid()) return refuse(UnavailableError("no word from the master"));
  wire::LeaseRequest request;
  request.set_incarnation(session.incarnation());
  member::ToWire(session.stamp(), request.mutable_stamp());
  request.set_request(effect.request);
  request.set_tasks_max(effect.tasks_max);
  // One try: the core asks again, with the stamp that is in force then.
  master.Call<wire::LeaseRequest, wire::LeaseResponse>(
      member::kLease, request, {}, {},
      [this, number = effect.request](Result<rpc::Answer<wire::LeaseResponse>> answer) {
        Result<LeaseAnswer> lease =
            answer.ok() ? ReadLeaseAnswer(answer->message) : Result<LeaseAnswer>(answer.status());
        if (!lease.ok()) seams.log.Warn("lease request failed", {{"error", lease.status()}});
        Handle(LeaseAnswered{.request = number, .answer = std::move(lease)});
      });
}

void Executor::State::Do(OpenRing effect) {
  rings[effect.ring].trainer = effect.trainer;
  const handover::Hello hello{.build = options.build,
                              .schema = schema,
                              .writer = session.incarnation(),
                              .reader = effect.trainer.incarnation,
                              .flow = effect.flow};
  seams.handover.Connect(effect.trainer.address, hello, options.ring,
                         [weak = weak_from_this(), id = effect.ring, trainer = effect.trainer](
                             Result<std::unique_ptr<handover::Writer>> writer) {
                           const std::shared_ptr<State> state = weak.lock();
                           if (state) state->OnRing(id, trainer, std::move(writer));
                         });
}

void Executor::State::OnRing(Rings::RingId id, const Trainer& trainer,
                             Result<std::unique_ptr<handover::Writer>> writer) {
  const auto ring = rings.find(id);
  if (ring == rings.end()) return;  // closed meanwhile: so is the writer
  if (!writer.ok() || (*writer)->closed()) {
    const Status reason = writer.ok() ? UnavailableError("closed at once") : writer.status();
    seams.log.Info("ring refused", {{"trainer", trainer.replica}, {"reason", reason}});
    rings.erase(ring);
    return Handle(RingClosed{id, reason.WithContext("ring to " + ToString(trainer.replica))});
  }
  seams.log.Info("ring open", {{"trainer", trainer.replica}});
  ring->second.writer = std::move(*writer);
  // Posted, since the writer must not be destroyed inside its own call.
  ring->second.writer->Observe(
      [this, id] { Reserve(id); },
      [this, id] {
        seams.environment.loop.Post([weak = weak_from_this(), id] {
          const std::shared_ptr<State> state = weak.lock();
          if (!state || state->rings.erase(id) == 0) return;
          state->seams.log.Info("ring broke", {{"ring", id}});
          state->Handle(RingClosed{id, UnavailableError("the trainer is gone")});
        });
      });
  Handle(RingOpened{id});
  Reserve(id);
}

void Executor::State::Do(CloseRing effect) { rings.erase(effect.ring); }

// Takes the next free slot in hand, so that the core knows that there is one.
void Executor::State::Reserve(Rings::RingId id) {
  const auto ring = rings.find(id);
  if (ring == rings.end() || ring->second.slot) return;
  ring->second.slot = ring->second.writer->TryReserve();
  if (ring->second.slot) Handle(SlotReserved{id});
}

void Executor::State::Do(SendBatch effect) {
  const auto it = rings.find(effect.ring);
  // A ring that broke in this turn: its batches are lost, and the core will hear of it.
  if (it == rings.end() || !it->second.slot) return;
  Ring& ring = it->second;
  std::vector<batch::RowRange> ranges;
  ranges.reserve(effect.batch.pieces.size());
  for (const RowPiece& piece : effect.batch.pieces) {
    ranges.push_back({.rows = piece.rows.get(), .begin = piece.begin, .end = piece.end});
  }
  const Result<uint64_t> bytes = batch::WriteMiniBatch(
      options.layout, {effect.batch.info, ranges, effect.batch.spans}, ring.slot->bytes);
  if (!bytes.ok()) return Handle(BatchRefused{bytes.status()});
  ring.writer->Publish(*std::exchange(ring.slot, std::nullopt), *bytes);
  Reserve(effect.ring);
}

void Executor::State::Do(EndReplica effect) {
  seams.log.Error("replica ends", {{"error", effect.error}});
  seams.environment.loop.Post([weak = weak_from_this(), error = effect.error] {
    if (const std::shared_ptr<State> state = weak.lock()) state->End(error);
  });
}

void Executor::State::End(const Status& status) {
  if (std::exchange(ended, true)) return;
  wake.Cancel();
  on_end(status);
}

Executor::Executor(std::shared_ptr<State> state) : state_(std::move(state)) {}

Executor::~Executor() = default;

Result<std::unique_ptr<Executor>> Executor::Create(const Seams& seams, Options options,
                                                   std::function<void(Status)> on_end) {
  auto state = std::make_shared<State>(seams, std::move(options), std::move(on_end));
  PRIMUS_TRY(state->server.Listen(state->options.session.own));
  state->session.Start();
  return std::unique_ptr<Executor>(new Executor(std::move(state)));
}

}  // namespace primus::executor
