#include "primus/rpc/inproc_network.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "primus/rpc/open_reply.h"

namespace primus::rpc {
namespace {

// The calls that one connection has made and that have not ended.
struct Outgoing {
  struct Call {
    explicit Call(env::EventLoop& loop) : timeout(loop) {}
    FrameDone done;
    env::Timer timeout;
  };
  void End(uint64_t call, Result<Frame> answer) {
    auto node = calls.extract(call);
    if (node) node.mapped().done(std::move(answer));
  }
  std::map<uint64_t, Call> calls;
};

// Names a call to whoever may end it.
struct CallRef {
  std::weak_ptr<Outgoing> outgoing;
  uint64_t call = 0;
  void End(Result<Frame> answer) const {
    if (const auto alive = outgoing.lock()) alive->End(call, std::move(answer));
  }
};

struct Incoming {
  FrameHandler handler;
  std::map<uint64_t, CallRef> open;  // calls that wait for the handler's answer
};

}  // namespace

struct InprocNetwork::State : public std::enable_shared_from_this<State> {
  State(env::EventLoop& its_loop, FrameRules its_rules)
      : loop(its_loop), rules(std::move(its_rules)) {}

  void PostEnd(CallRef call, std::string bytes) {
    loop.Post([self = shared_from_this(), call = std::move(call), bytes = std::move(bytes)] {
      call.End(DecodeFrame(bytes, self->rules));
    });
  }
  void PostEnd(CallRef call, Status error) {
    loop.Post([call = std::move(call), error = std::move(error)] { call.End(error); });
  }
  void Deliver(const Address& address, const std::string& method, const std::string& bytes,
               CallRef call);

  env::EventLoop& loop;
  FrameRules rules;
  uint64_t last_call = 0;
  std::map<Address, std::weak_ptr<Incoming>> listeners;
};

void InprocNetwork::State::Deliver(const Address& address, const std::string& method,
                                   const std::string& bytes, CallRef call) {
  const auto found = listeners.find(address);
  const auto incoming = found == listeners.end() ? nullptr : found->second.lock();
  if (incoming == nullptr) {
    return call.End(UnavailableError(method + " at " + address + ": nobody listens there"));
  }
  Result<Frame> request = DecodeFrame(bytes, rules);
  if (!request.ok()) return call.End(request.status());
  const uint64_t id = call.call, request_id = request->request_id;
  incoming->open[id] = std::move(call);
  ReplyFrame reply = MakeReply(method, [self = shared_from_this(), id, request_id,
                                        weak = std::weak_ptr(incoming)](Result<Frame> result) {
    const auto alive = weak.lock();
    if (alive == nullptr) return;
    const auto open = alive->open.extract(id);
    if (!open) return;
    const AnswerFrame answer = ToAnswer(std::move(result), request_id, self->rules);
    self->PostEnd(open.mapped(), EncodeFrame(answer.code, answer.frame, self->rules));
  });
  incoming->handler(method, *std::move(request), std::move(reply));
}

namespace {

template <class State>
class InprocListener final : public Listener {
 public:
  InprocListener(std::shared_ptr<State> network, Address address,
                 std::shared_ptr<Incoming> incoming)
      : network_(std::move(network)),
        address_(std::move(address)),
        incoming_(std::move(incoming)) {}
  ~InprocListener() override {
    network_->listeners.erase(address_);
    for (auto& [id, call] : std::exchange(incoming_->open, {})) {
      network_->PostEnd(call, UnavailableError(address_ + " stopped listening"));
    }
  }

 private:
  std::shared_ptr<State> network_;
  Address address_;
  std::shared_ptr<Incoming> incoming_;
};

template <class State>
class InprocConnection final : public Connection {
 public:
  InprocConnection(std::shared_ptr<State> network, Address address)
      : network_(std::move(network)), address_(std::move(address)) {}
  ~InprocConnection() override {
    // Callbacks go now, even if one of them is what destroys the connection.
    const auto dropped = std::exchange(outgoing_->calls, {});
  }

  void Call(std::string_view method, Frame request, Duration timeout, FrameDone done) override {
    const uint64_t id = ++network_->last_call;
    CallRef ref{.outgoing = outgoing_, .call = id};
    auto& call = outgoing_->calls.try_emplace(id, network_->loop).first->second;
    call.done = std::move(done);
    if (const Status size = CheckSize(request, network_->rules); !size.ok()) {
      return network_->PostEnd(std::move(ref), size);
    }
    call.timeout.Set(timeout, [ref, text = std::string(method) + " at " + address_] {
      ref.End(DeadlineExceededError(text + ": no answer in time"));
    });
    network_->loop.Post([network = network_, address = address_, ref, name = std::string(method),
                         bytes = EncodeFrame(StatusCode::kOk, request, network_->rules)] {
      network->Deliver(address, name, bytes, ref);
    });
  }

 private:
  std::shared_ptr<State> network_;
  Address address_;
  std::shared_ptr<Outgoing> outgoing_ = std::make_shared<Outgoing>();
};

}  // namespace

InprocNetwork::InprocNetwork(env::EventLoop& loop, FrameRules rules)
    : state_(std::make_shared<State>(loop, std::move(rules))) {}

InprocNetwork::~InprocNetwork() = default;

Result<std::unique_ptr<Listener>> InprocNetwork::Listen(const Address& address,
                                                        FrameHandler handler) {
  const auto [entry, added] = state_->listeners.try_emplace(address);
  if (!added) return AlreadyExistsError("somebody listens at " + address + " already");
  auto incoming = std::make_shared<Incoming>();
  incoming->handler = std::move(handler);
  entry->second = incoming;
  return std::unique_ptr<Listener>(
      std::make_unique<InprocListener<State>>(state_, address, std::move(incoming)));
}

std::unique_ptr<Connection> InprocNetwork::Connect(const Address& address) {
  return std::make_unique<InprocConnection<State>>(state_, address);
}

}  // namespace primus::rpc
