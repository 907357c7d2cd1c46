#include "primus/rpc/client.h"

#include <algorithm>
#include <cstdint>
#include <map>

#include "primus/base/check.h"
#include "primus/rpc/retry.h"

namespace primus::rpc {

struct Client::State : public std::enable_shared_from_this<State> {
  // One call over all of its tries.
  struct Pending {
    Pending(std::string_view call_method, Duration try_timeout, env::EventLoop& loop)
        : method(call_method), timeout(try_timeout), wait(loop) {}
    std::string method;
    Duration timeout;
    Frame frame;  // kept only while another try may need it
    bool repeats = false;
    Instant deadline;  // if it repeats
    int tries = 0;
    FrameDone done;
    env::Timer wait;
  };

  State(env::Environment its_environment, Network& network, Address its_address)
      : environment(its_environment),
        address(std::move(its_address)),
        connection(network.Connect(address)) {}

  void Try(uint64_t id);
  void TryEnded(uint64_t id, Result<Frame> answer);
  void End(uint64_t id, Result<Frame> answer);

  env::Environment environment;
  Address address;
  std::map<uint64_t, Pending> calls;  // by request id
  std::unique_ptr<Connection> connection;
};

void Client::State::Try(uint64_t id) {
  Pending& call = calls.at(id);
  Duration timeout = call.timeout;
  Frame frame;
  if (call.repeats) {
    timeout = std::min(timeout, call.deadline - environment.loop.Get().monotonic);
    frame = call.frame;
  } else {
    frame = std::move(call.frame);
  }
  ++call.tries;
  connection->Call(call.method, std::move(frame), timeout,
                   [self = weak_from_this(), id](Result<Frame> answer) {
                     if (const auto state = self.lock()) state->TryEnded(id, std::move(answer));
                   });
}

void Client::State::TryEnded(uint64_t id, Result<Frame> answer) {
  Pending& call = calls.at(id);
  const RetryRule* rule = answer.ok() ? nullptr : FindRetryRule(answer.status().code());
  if (rule == nullptr || !call.repeats) return End(id, std::move(answer));
  const Duration wait = BackOff(*rule, call.tries, environment.random);
  if (environment.loop.Get().monotonic + wait >= call.deadline) {
    return End(id, answer.status().WithContext("after " + std::to_string(call.tries) +
                                               (call.tries == 1 ? " try" : " tries")));
  }
  call.wait.Set(wait, [this, id] { Try(id); });
}

void Client::State::End(uint64_t id, Result<Frame> answer) {
  auto call = calls.extract(id);
  call.mapped().done(std::move(answer));
}

Client::Client(env::Environment environment, Network& network, Address address)
    : state_(std::make_shared<State>(environment, network, std::move(address))) {}

Client::~Client() {
  // Callbacks are dropped now, even if one of them is what destroys the client.
  auto calls = std::move(state_->calls);
  state_->calls.clear();
  state_->connection.reset();
}

const Address& Client::address() const { return state_->address; }

Status Client::Malformed(std::string_view name) {
  return DataLossError("malformed answer of " + std::string(name));
}

void Client::CallFrame(std::string_view method, Duration timeout, Frame frame, CallOptions options,
                       FrameDone done) {
  uint64_t id = 0;
  do {
    id = state_->environment.random.Next();
  } while (id == 0 || state_->calls.contains(id));
  State::Pending& call =
      state_->calls.try_emplace(id, method, timeout, state_->environment.loop).first->second;
  frame.request_id = id;
  call.frame = std::move(frame);
  call.repeats = options.deadline > Duration(0);
  if (call.repeats) call.deadline = state_->environment.loop.Get().monotonic + options.deadline;
  call.done = std::move(done);
  state_->Try(id);
}

}  // namespace primus::rpc
