#include "primus/sim/network.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace primus::sim {
namespace {

struct Listening {
  ProcessId process = 0;
  uint64_t serial = 0;
  rpc::FrameHandler handler;
};

// One call under way; ends once.
struct PendingCall {
  ProcessId caller = 0;
  uint64_t listener = 0;  // serial; 0 until delivered
  env::TimerId timeout = 0;
  rpc::FrameDone done;  // empty when ended
};

using CallId = uint64_t;

}  // namespace

struct Net::State {
  State(World& sim_world, Faults& sim_faults) : world(sim_world), faults(sim_faults) {}

  bool Draw(double probability, const char* name) {
    if (probability <= 0 || world.random().NextUnit() >= probability) return false;
    faults.hits.Hit(name);
    return true;
  }
  Duration Delay() {
    if (Draw(faults.slow, "net.slow")) {
      return Duration(static_cast<int64_t>(
          world.random().Below(static_cast<uint64_t>(faults.slow_max.count()))));
    }
    return Microseconds(30 + static_cast<int64_t>(world.random().Below(200)));
  }
  bool Blocked(ProcessId a, ProcessId b) {
    const auto it = partitions.find(std::minmax(a, b));
    return it != partitions.end() && it->second > world.now();
  }
  void Finish(CallId id, Result<rpc::Frame> result) {
    const auto it = calls.find(id);
    if (it == calls.end()) return;
    PendingCall call = std::move(it->second);
    calls.erase(it);
    world.Cancel(call.timeout);
    call.done(std::move(result));
  }

  bool HoldsAddress(ProcessId process) const {
    return world.StateOf(process) == ProcessState::kRunning && !disowned.contains(process);
  }
  // Null when it has ended.
  const Listening* Find(uint64_t listener) const {
    const auto it = listeners.find(listener);
    const bool lives =
        it != listeners.end() && world.StateOf(it->second.process) != ProcessState::kDead;
    return lives ? &it->second : nullptr;
  }
  // Whom a connection reaches: the listener that it has, as long as that one lives, also when
  // another has the address by now; null when nobody listens there.
  const Listening* Reach(const rpc::Address& address, uint64_t* connected) {
    const auto it = addresses.find(address);
    if (const Listening* same = Find(*connected)) {
      if (it != addresses.end() && it->second != *connected) faults.hits.Hit("net.old listener");
      return same;
    }
    const Listening* found = it == addresses.end() ? nullptr : Find(it->second);
    *connected = found == nullptr ? 0 : found->serial;
    return found;
  }
  // The listener is gone: what was open there ends.
  void EndCalls(uint64_t listener) {
    for (const auto& [id, call] : calls) {
      if (call.listener != listener) continue;
      world.Schedule(call.caller, Delay(), [this, call_id = id] {
        Finish(call_id, UnavailableError("the peer went away"));
      });
    }
  }

  World& world;
  Faults& faults;
  std::map<uint64_t, Listening> listeners;     // by serial
  std::map<rpc::Address, uint64_t> addresses;  // the newest listener of each
  std::map<CallId, PendingCall> calls;
  std::map<std::pair<ProcessId, ProcessId>, Duration> partitions;
  std::set<ProcessId> disowned;
  std::function<void(const Sent&)> on_sent;
  uint64_t serial = 0;
};

namespace {

struct Message {
  rpc::Address address;
  std::shared_ptr<uint64_t> connected;  // of the connection: the listener that it has
  std::string method;
  rpc::Frame frame;
};

// Travels with a request to its handler: sends the answer back once, or kInternal when dropped.
template <class State>
class ReplyPath {
 public:
  ReplyPath(std::weak_ptr<State> state, CallId call, Listening from, Message request)
      : state_(std::move(state)),
        call_(call),
        from_(std::move(from)),
        request_(std::move(request)) {}
  ~ReplyPath() { Send(InternalError("the handler dropped a call of " + request_.method)); }
  ReplyPath(const ReplyPath&) = delete;
  ReplyPath& operator=(const ReplyPath&) = delete;

  void Send(Result<rpc::Frame> result) {
    const std::shared_ptr<State> net = state_.lock();
    if (sent_ || net == nullptr) return;
    sent_ = true;
    if (net->Find(from_.serial) == nullptr) return;
    const auto call = net->calls.find(call_);
    const ProcessId caller = call == net->calls.end() ? 0 : call->second.caller;
    if (net->on_sent) {
      net->on_sent({from_.process, caller, request_.method, request_.frame, &result});
    }
    if (caller == 0) return;
    if (net->Draw(net->faults.drop, "net.drop answer")) return;
    if (net->Blocked(from_.process, caller)) return;
    net->world.Schedule(caller, net->Delay(),
                        [net, id = call_, result = std::move(result)] { net->Finish(id, result); });
  }

 private:
  std::weak_ptr<State> state_;
  CallId call_;
  Listening from_;
  Message request_;
  bool sent_ = false;
};

template <class State>
void Deliver(const std::shared_ptr<State>& net, CallId id, ProcessId caller,
             const Message& message) {
  const Listening* listener = net->Reach(message.address, message.connected.get());
  if (listener == nullptr) {
    net->world.Schedule(caller, net->Delay(), [net, id, address = message.address] {
      net->Finish(id, UnavailableError("nobody listens at " + address));
    });
    return;
  }
  const ProcessId callee = listener->process;
  if (net->Blocked(caller, callee)) {
    net->faults.hits.Hit("net.partition");
    return;
  }
  if (const auto call = net->calls.find(id); call != net->calls.end()) {
    call->second.listener = listener->serial;
  }
  net->world.Schedule(callee, Duration(0), [net, id, message, serial = listener->serial] {
    const Listening* now = net->Find(serial);
    if (now == nullptr) return;
    const Listening from = *now;  // a handler may stop listening
    const auto path = std::make_shared<ReplyPath<State>>(net, id, from, message);
    from.handler(message.method, message.frame,
                 [path](Result<rpc::Frame> result) { path->Send(std::move(result)); });
  });
}

template <class State>
class SimConnection final : public rpc::Connection {
 public:
  SimConnection(std::shared_ptr<State> net, ProcessId process, rpc::Address address)
      : net_(std::move(net)), process_(process), address_(std::move(address)) {}
  ~SimConnection() override {
    for (const CallId id : issued_) {
      const auto it = net_->calls.find(id);
      if (it == net_->calls.end()) continue;
      net_->world.Cancel(it->second.timeout);
      net_->calls.erase(it);
    }
  }

  void Call(std::string_view method, rpc::Frame request, Duration timeout,
            rpc::FrameDone done) override {
    const CallId id = ++net_->serial;
    while (!issued_.empty() && !net_->calls.contains(issued_.front())) issued_.pop_front();
    issued_.push_back(id);
    PendingCall call{.caller = process_, .listener = 0, .timeout = 0, .done = std::move(done)};
    call.timeout = net_->world.Schedule(process_, timeout, [net = net_, id] {
      net->Finish(id, DeadlineExceededError("no answer in time"));
    });
    net_->calls.emplace(id, std::move(call));
    const Message message{address_, connected_, std::string(method), std::move(request)};
    if (net_->on_sent) net_->on_sent({process_, 0, message.method, message.frame, nullptr});
    if (!net_->Draw(net_->faults.drop, "net.drop request")) Send(id, message, net_->Delay());
    if (net_->Draw(net_->faults.duplicate, "net.duplicate")) Send(id, message, net_->Delay());
    if (!net_->Draw(net_->faults.late_copy, "net.late copy")) return;
    const auto late_max = static_cast<uint64_t>(net_->faults.late_max.count());
    Send(id, message, Duration(static_cast<int64_t>(net_->world.random().Below(late_max))));
  }

 private:
  void Send(CallId id, const Message& message, Duration delay) {
    net_->world.Schedule(0, delay, [net = net_, id, caller = process_, message] {
      Deliver(net, id, caller, message);
    });
  }

  std::shared_ptr<State> net_;
  ProcessId process_;
  rpc::Address address_;
  std::shared_ptr<uint64_t> connected_ = std::make_shared<uint64_t>(0);
  std::deque<CallId> issued_;
};

template <class State>
class SimListener final : public rpc::Listener {
 public:
  SimListener(std::shared_ptr<State> net, rpc::Address address, uint64_t serial)
      : net_(std::move(net)), address_(std::move(address)), serial_(serial) {}
  ~SimListener() override {
    net_->listeners.erase(serial_);
    const auto it = net_->addresses.find(address_);
    if (it != net_->addresses.end() && it->second == serial_) net_->addresses.erase(it);
    net_->EndCalls(serial_);
  }

 private:
  std::shared_ptr<State> net_;
  rpc::Address address_;
  uint64_t serial_;
};

template <class State>
class SimNetwork final : public rpc::Network {
 public:
  SimNetwork(std::shared_ptr<State> net, ProcessId process)
      : net_(std::move(net)), process_(process) {}

  Result<std::unique_ptr<rpc::Listener>> Listen(const rpc::Address& address,
                                                rpc::FrameHandler handler) override {
    const auto it = net_->addresses.find(address);
    const Listening* holder = it == net_->addresses.end() ? nullptr : net_->Find(it->second);
    if (holder != nullptr && net_->HoldsAddress(holder->process)) {
      return AlreadyExistsError("somebody listens at " + address);
    }
    const uint64_t serial = ++net_->serial;
    net_->listeners.emplace(serial, Listening{process_, serial, std::move(handler)});
    net_->addresses.insert_or_assign(address, serial);
    return std::unique_ptr<rpc::Listener>(
        std::make_unique<SimListener<State>>(net_, address, serial));
  }
  std::unique_ptr<rpc::Connection> Connect(const rpc::Address& address) override {
    return std::make_unique<SimConnection<State>>(net_, process_, address);
  }

 private:
  std::shared_ptr<State> net_;
  ProcessId process_;
};

}  // namespace

Net::Net(World& world, Faults& faults) : state_(std::make_shared<State>(world, faults)) {}

Net::~Net() = default;

std::unique_ptr<rpc::Network> Net::NetworkOf(ProcessId process) {
  return std::make_unique<SimNetwork<State>>(state_, process);
}

void Net::Partition(ProcessId a, ProcessId b, Duration duration) {
  state_->partitions[std::minmax(a, b)] = state_->world.now() + duration;
}

void Net::Heal() { state_->partitions.clear(); }

void Net::Disown(ProcessId process) { state_->disowned.insert(process); }

void Net::OnSent(std::function<void(const Sent&)> observer) {
  state_->on_sent = std::move(observer);
}

void Net::OnDeath(ProcessId process) {
  for (const auto& [serial, listening] : state_->listeners) {
    if (listening.process == process) state_->EndCalls(serial);
  }
}

}  // namespace primus::sim
