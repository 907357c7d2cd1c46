#include "primus/sim/handover.h"

#include <deque>
#include <map>
#include <utility>
#include <vector>

#include "primus/base/check.h"

namespace primus::sim {
namespace {

enum class SlotState { kFree, kReserved, kPublished, kTaken };

struct alignas(64) Line {
  std::byte bytes[64];
};

// One end's view of its process.
struct End {
  ProcessId process = 0;
  bool closed = false;
  bool told = false;  // on_closed was called
  std::function<void()> on_change;
  std::function<void()> on_closed;
};

struct Channel {
  handover::Hello hello;
  handover::ChannelOptions options;
  std::vector<std::vector<Line>> memory;
  std::vector<SlotState> slots;
  std::deque<std::pair<uint32_t, uint64_t>> published;  // slot, bytes used
  End writer;
  End reader;
};

Duration Hop(World& world) {
  return Microseconds(2 + static_cast<int64_t>(world.random().Below(30)));
}

void Wake(World& world, const std::shared_ptr<Channel>& channel, End Channel::*end) {
  world.Schedule(((*channel).*end).process, Hop(world), [channel, end] {
    End& side = (*channel).*end;
    if (!side.closed && side.on_change) side.on_change();
  });
}

void Close(World& world, const std::shared_ptr<Channel>& channel, End Channel::*end) {
  world.Schedule(((*channel).*end).process, Hop(world), [channel, end] {
    End& side = (*channel).*end;
    side.closed = true;
    if (side.told) return;
    side.told = true;
    if (side.on_closed) side.on_closed();
  });
}

std::span<std::byte> BytesOf(Channel& channel, uint32_t slot) {
  return {channel.memory[slot].front().bytes, channel.options.slot_bytes_max};
}

class SimWriter final : public handover::Writer {
 public:
  SimWriter(World& world, std::shared_ptr<Channel> channel)
      : world_(world), channel_(std::move(channel)) {}
  ~SimWriter() override {
    channel_->writer = {.process = channel_->writer.process,
                        .closed = true,
                        .told = true,
                        .on_change = nullptr,
                        .on_closed = nullptr};
    Close(world_, channel_, &Channel::reader);
  }
  std::optional<handover::Slot> TryReserve() override {
    if (channel_->writer.closed) return std::nullopt;
    for (uint32_t i = 0; i < channel_->slots.size(); ++i) {
      if (channel_->slots[i] != SlotState::kFree) continue;
      channel_->slots[i] = SlotState::kReserved;
      return handover::Slot{i, BytesOf(*channel_, i)};
    }
    return std::nullopt;
  }
  void Publish(const handover::Slot& slot, uint64_t bytes_used) override {
    PRIMUS_CHECK(channel_->slots[slot.index] == SlotState::kReserved, "publish what is reserved");
    channel_->slots[slot.index] = SlotState::kPublished;
    channel_->published.emplace_back(slot.index, bytes_used);
    Wake(world_, channel_, &Channel::reader);
  }
  uint64_t slot_bytes_max() const override { return channel_->options.slot_bytes_max; }
  bool closed() const override { return channel_->writer.closed; }
  void Observe(std::function<void()> on_credit, std::function<void()> on_closed) override {
    channel_->writer.on_change = std::move(on_credit);
    channel_->writer.on_closed = std::move(on_closed);
  }

 private:
  World& world_;
  std::shared_ptr<Channel> channel_;
};

class SimReader final : public handover::Reader {
 public:
  SimReader(World& world, std::shared_ptr<Channel> channel)
      : world_(world), channel_(std::move(channel)) {}
  ~SimReader() override {
    channel_->reader = {.process = channel_->reader.process,
                        .closed = true,
                        .told = true,
                        .on_change = nullptr,
                        .on_closed = nullptr};
    Close(world_, channel_, &Channel::writer);
  }
  std::optional<handover::Slot> TryTake() override {
    if (channel_->reader.closed || channel_->published.empty()) return std::nullopt;
    const auto [index, used] = channel_->published.front();
    channel_->published.pop_front();
    channel_->slots[index] = SlotState::kTaken;
    return handover::Slot{index, BytesOf(*channel_, index).first(used)};
  }
  void Release(const handover::Slot& slot) override {
    PRIMUS_CHECK(channel_->slots[slot.index] == SlotState::kTaken, "release what is taken");
    channel_->slots[slot.index] = SlotState::kFree;
    Wake(world_, channel_, &Channel::writer);
  }
  bool closed() const override { return channel_->reader.closed; }
  const handover::Hello& hello() const override { return channel_->hello; }
  void Observe(std::function<void()> on_ready, std::function<void()> on_closed) override {
    channel_->reader.on_change = std::move(on_ready);
    channel_->reader.on_closed = std::move(on_closed);
  }

 private:
  World& world_;
  std::shared_ptr<Channel> channel_;
};

struct Accepting {
  ProcessId process = 0;
  uint64_t serial = 0;
  handover::Admit admit;
  std::function<void(std::unique_ptr<handover::Reader>)> on_reader;
};

}  // namespace

struct Channels::State {
  explicit State(World& sim_world) : world(sim_world) {}
  World& world;
  std::map<std::string, Accepting> acceptors;
  std::vector<std::weak_ptr<Channel>> channels;
  uint64_t serial = 0;
};

namespace {

using ConnectDone = std::function<void(Result<std::unique_ptr<handover::Writer>>)>;

template <class State>
class SimAcceptor final : public handover::Acceptor {
 public:
  SimAcceptor(std::shared_ptr<State> state, std::string address, uint64_t serial)
      : state_(std::move(state)), address_(std::move(address)), serial_(serial) {}
  ~SimAcceptor() override {
    const auto it = state_->acceptors.find(address_);
    if (it != state_->acceptors.end() && it->second.serial == serial_) state_->acceptors.erase(it);
  }

 private:
  std::shared_ptr<State> state_;
  std::string address_;
  uint64_t serial_;
};

template <class State>
class SimHandover final : public handover::Handover {
 public:
  SimHandover(std::shared_ptr<State> state, ProcessId process)
      : state_(std::move(state)), process_(process) {}

  Result<std::unique_ptr<handover::Acceptor>> Listen(
      const std::string& address, handover::Admit admit,
      std::function<void(std::unique_ptr<handover::Reader>)> on_reader) override {
    const uint64_t serial = ++state_->serial;
    const bool added =
        state_->acceptors
            .emplace(address, Accepting{process_, serial, std::move(admit), std::move(on_reader)})
            .second;
    if (!added) return AlreadyExistsError("somebody listens at " + address);
    return std::unique_ptr<handover::Acceptor>(
        std::make_unique<SimAcceptor<State>>(state_, address, serial));
  }

  void Connect(const std::string& address, const handover::Hello& hello,
               const handover::ChannelOptions& options, ConnectDone done) override {
    const auto acceptor = state_->acceptors.find(address);
    if (acceptor == state_->acceptors.end()) {
      return Answer(done, UnavailableError("nobody listens at " + address));
    }
    auto channel = std::make_shared<Channel>();
    channel->hello = hello;
    channel->options = options;
    channel->slots.resize(options.slots, SlotState::kFree);
    channel->memory.resize(options.slots, std::vector<Line>((options.slot_bytes_max + 63) / 64));
    channel->writer.process = process_;
    channel->reader.process = acceptor->second.process;
    state_->world.Schedule(channel->reader.process, Hop(state_->world),
                           [state = state_, channel, address, done] {
                             const auto now = state->acceptors.find(address);
                             if (now != state->acceptors.end()) {
                               return Accept(*state, now->second, channel, done);
                             }
                             const Status gone = UnavailableError("nobody listens any more");
                             state->world.Schedule(channel->writer.process, Hop(state->world),
                                                   [done, gone] { done(gone); });
                           });
  }

 private:
  void Answer(const ConnectDone& done, const Status& error) {
    state_->world.Schedule(process_, Hop(state_->world), [done, error] { done(error); });
  }
  // In the reader's process.
  static void Accept(State& state, const Accepting& acceptor,
                     const std::shared_ptr<Channel>& channel, const ConnectDone& done) {
    const ProcessId writer = channel->writer.process;
    if (state.world.StateOf(writer) == ProcessState::kDead) return;
    const Status admitted = acceptor.admit(channel->hello);
    if (!admitted.ok()) {
      state.world.Schedule(writer, Hop(state.world), [done, admitted] { done(admitted); });
      return;
    }
    state.channels.push_back(channel);
    acceptor.on_reader(std::make_unique<SimReader>(state.world, channel));
    state.world.Schedule(writer, Hop(state.world), [&world = state.world, channel, done] {
      done(std::unique_ptr<handover::Writer>(std::make_unique<SimWriter>(world, channel)));
    });
  }

  std::shared_ptr<State> state_;
  ProcessId process_;
};

}  // namespace

Channels::Channels(World& world) : state_(std::make_shared<State>(world)) {}

Channels::~Channels() = default;

std::unique_ptr<handover::Handover> Channels::HandoverOf(ProcessId process) {
  return std::make_unique<SimHandover<State>>(state_, process);
}

void Channels::OnDeath(ProcessId process) {
  std::erase_if(state_->channels, [](const auto& weak) { return weak.expired(); });
  std::erase_if(state_->acceptors,
                [process](const auto& entry) { return entry.second.process == process; });
  for (const auto& weak : state_->channels) {
    const std::shared_ptr<Channel> channel = weak.lock();
    if (channel == nullptr) continue;
    if (channel->writer.process == process) Close(state_->world, channel, &Channel::reader);
    if (channel->reader.process == process) Close(state_->world, channel, &Channel::writer);
  }
}

}  // namespace primus::sim
