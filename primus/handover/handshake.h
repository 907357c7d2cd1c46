// One end of a socket during the handshake of a ring: frames in and out, with a deadline.
//
// `on_frame` runs on the loop for each frame that comes; `on_failed` at most once, when the peer is
// gone, says what is no frame, or nothing in time. Either may destroy the handshake.
#pragma once

#include <functional>
#include <memory>
#include <span>

#include "primus/base/time.h"
#include "primus/env/asio_loop.h"
#include "primus/handover/ring_frame.h"
#include "primus/handover/unix_packet.h"

namespace primus::handover {

class Handshake {
 public:
  struct Callbacks {
    std::function<void(const RingFrame&, std::vector<UniqueFd>)> on_frame;
    std::function<void(const Status&)> on_failed;
  };
  static Result<std::unique_ptr<Handshake>> Create(env::AsioLoop& loop, UniqueFd socket,
                                                   Duration timeout, Callbacks callbacks);

  Status Send(const RingFrame& frame, std::span<const int> fds = {});
  // The socket, for the ring: no frame is read any more.
  UniqueFd TakeSocket();

 private:
  Handshake(env::AsioLoop& loop, UniqueFd socket, Callbacks callbacks);
  void OnReadable();
  void Fail(const Status& error);

  UniqueFd socket_;
  Callbacks callbacks_;
  env::Timer timer_;
  std::unique_ptr<env::Watch> watch_;
};

}  // namespace primus::handover
