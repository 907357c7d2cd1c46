#include "primus/handover/ring.h"

#include <cstdint>
#include <map>
#include <utility>

#include "primus/handover/ring_acceptor.h"
#include "primus/handover/ring_connect.h"

namespace primus::handover {

struct RingHandover::State {
  State(env::AsioLoop& asio_loop, Duration handshake_timeout)
      : loop(asio_loop), timeout(handshake_timeout) {}
  env::AsioLoop& loop;
  const Duration timeout;
  std::map<uint64_t, std::unique_ptr<RingConnect>> connects;
  uint64_t ids = 0;
};

RingHandover::RingHandover(env::AsioLoop& loop, Duration handshake_timeout)
    : state_(std::make_shared<State>(loop, handshake_timeout)) {}

RingHandover::~RingHandover() = default;

Result<std::unique_ptr<Acceptor>> RingHandover::Listen(
    const std::string& address, Admit admit,
    std::function<void(std::unique_ptr<Reader>)> on_reader) {
  PRIMUS_ASSIGN(std::unique_ptr<RingAcceptor> acceptor,
                RingAcceptor::Create(state_->loop, address, state_->timeout));
  acceptor->Serve(std::move(admit), std::move(on_reader));
  return std::unique_ptr<Acceptor>(std::move(acceptor));
}

void RingHandover::Connect(const std::string& address, const Hello& hello,
                           const ChannelOptions& options,
                           std::function<void(Result<std::unique_ptr<Writer>>)> done) {
  const uint64_t id = ++state_->ids;
  const std::weak_ptr<State> weak = state_;
  auto connect = RingConnect::Start(
      state_->loop,
      {.address = address, .hello = hello, .channel = options, .timeout = state_->timeout},
      [weak, id, done](Result<std::unique_ptr<Writer>> writer) {
        const std::shared_ptr<State> state = weak.lock();
        if (!state) return;
        const auto finished = state->connects.extract(id);
        done(std::move(writer));
      });
  if (connect.ok()) {
    state_->connects[id] = std::move(*connect);
    return;
  }
  state_->loop.Post([weak, done, error = connect.status()] {
    if (weak.lock()) done(error);
  });
}

}  // namespace primus::handover
