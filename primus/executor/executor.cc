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
  return directive.mode() == wire::RUN && member ? Standing::kRunning : Standing::kOut;
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

struct Channel {
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
  void OnChannel(Channels::ChannelId id, const Trainer& trainer,
                 Result<std::unique_ptr<handover::Writer>> writer);
  void End(const Status& status);

  void Handle(Event event);
  void Do(AskLease effect);
  void Do(OpenTask effect) { reading.Open(std::move(effect)); }
  void Do(ReadRows effect) { reading.Read(effect); }
  void Do(CloseTask /*effect*/) { reading.Close(); }
  void Do(OpenChannel effect);
  void Do(CloseChannel effect);
  void Do(SendBatch effect);
  void Do(FailJob effect) { session.Fail(effect.error); }
  void Do(EndReplica effect);
  void Reserve(Channels::ChannelId id);

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
  std::map<Channels::ChannelId, Channel> channels;
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
  wake.Set(std::max(delay, Duration(0)), [this] { Handle(Woke{}); });
}

void Executor::State::OnDirective() {
  const wire::Directive& directive = session.directive();
  Handle(DirectiveCame{.standing = StandingOf(directive),
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

void Executor::State::Do(OpenChannel effect) {
  channels[effect.channel].trainer = effect.trainer;
  const handover::Hello hello{.build = options.build,
                              .schema = schema,
                              .writer = session.incarnation(),
                              .reader = effect.trainer.incarnation,
                              .flow = effect.flow};
  seams.handover.Connect(effect.trainer.address, hello, options.channel,
                         [weak = weak_from_this(), id = effect.channel, trainer = effect.trainer](
                             Result<std::unique_ptr<handover::Writer>> writer) {
                           const std::shared_ptr<State> state = weak.lock();
                           if (state) state->OnChannel(id, trainer, std::move(writer));
                         });
}

void Executor::State::OnChannel(Channels::ChannelId id, const Trainer& trainer,
                                Result<std::unique_ptr<handover::Writer>> writer) {
  const auto channel = channels.find(id);
  if (channel == channels.end()) return;  // closed meanwhile: so is the writer
  if (!writer.ok() || (*writer)->closed()) {
    const Status reason = writer.ok() ? UnavailableError("closed at once") : writer.status();
    seams.log.Info("channel refused", {{"trainer", trainer.replica}, {"reason", reason}});
    channels.erase(channel);
    return Handle(ChannelBroke{id, reason.WithContext("channel to " + ToString(trainer.replica))});
  }
  seams.log.Info("channel open", {{"trainer", trainer.replica}});
  channel->second.writer = std::move(*writer);
  // Posted, since the writer must not be destroyed inside its own call.
  channel->second.writer->Observe(
      [this, id] { Reserve(id); },
      [this, id] {
        seams.environment.loop.Post([weak = weak_from_this(), id] {
          const std::shared_ptr<State> state = weak.lock();
          if (!state || state->channels.erase(id) == 0) return;
          state->seams.log.Info("channel broke", {{"channel", id}});
          state->Handle(ChannelBroke{id, UnavailableError("the trainer is gone")});
        });
      });
  Handle(ChannelOpened{id});
  Reserve(id);
}

void Executor::State::Do(CloseChannel effect) { channels.erase(effect.channel); }

// Takes the next free slot in hand, so that the core knows that there is one.
void Executor::State::Reserve(Channels::ChannelId id) {
  const auto channel = channels.find(id);
  if (channel == channels.end() || channel->second.slot) return;
  channel->second.slot = channel->second.writer->TryReserve();
  if (channel->second.slot) Handle(SlotReserved{id});
}

void Executor::State::Do(SendBatch effect) {
  const auto it = channels.find(effect.channel);
  // A channel that broke in this turn: its batches are lost, and the core will hear of it.
  if (it == channels.end() || !it->second.slot) return;
  Channel& channel = it->second;
  std::vector<batch::RowRange> ranges;
  ranges.reserve(effect.batch.pieces.size());
  for (const RowPiece& piece : effect.batch.pieces) {
    ranges.push_back({.rows = piece.rows.get(), .begin = piece.begin, .end = piece.end});
  }
  const Result<uint64_t> bytes = batch::WriteMiniBatch(
      options.layout, {effect.batch.info, ranges, effect.batch.spans}, channel.slot->bytes);
  if (!bytes.ok()) return Handle(BatchRefused{bytes.status()});
  channel.writer->Publish(*std::exchange(channel.slot, std::nullopt), *bytes);
  Reserve(effect.channel);
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
