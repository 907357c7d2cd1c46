// The hand-over between two processes of one host: a ring in shared memory, set up over a Unix
// socket (ring_frame.h says what is said there, ring_memory.h what is shared).
//
// The writer makes and owns the memory, so it counts for the executor. A peer that dies, or says
// nothing for `handshake_timeout`, is dropped and everything with it is freed. Addresses are socket
// paths. Loop thread only; destroying it drops connects under way.
#pragma once

#include <memory>
#include <string>

#include "primus/base/time.h"
#include "primus/env/asio_loop.h"
#include "primus/handover/handover.h"

namespace primus::handover {

class RingHandover final : public Handover {
 public:
  explicit RingHandover(env::AsioLoop& loop, Duration handshake_timeout = Seconds(5));
  ~RingHandover() override;
  RingHandover(const RingHandover&) = delete;
  RingHandover& operator=(const RingHandover&) = delete;

  Result<std::unique_ptr<Acceptor>> Listen(
      const std::string& address, Admit admit,
      std::function<void(std::unique_ptr<Reader>)> on_reader) override;
  void Connect(const std::string& address, const Hello& hello, const ChannelOptions& options,
               std::function<void(Result<std::unique_ptr<Writer>>)> done) override;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace primus::handover
