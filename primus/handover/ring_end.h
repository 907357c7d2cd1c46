// What both ends of a ring have in common: the socket whose end means that the peer is gone, the
// doorbell that wakes this end, and the peer's.
//
// Callbacks come from the loop, never from inside a call, and may destroy the end. Loop thread
// only.
#pragma once

#include <functional>
#include <memory>

#include "primus/env/asio_loop.h"
#include "primus/handover/unix_packet.h"

namespace primus::handover {

class RingEnd {
 public:
  struct Descriptors {
    UniqueFd socket;
    UniqueFd own_bell;
    UniqueFd peer_bell;
  };
  static Result<std::unique_ptr<RingEnd>> Create(env::AsioLoop& loop, Descriptors descriptors);
  ~RingEnd();
  RingEnd(const RingEnd&) = delete;
  RingEnd& operator=(const RingEnd&) = delete;

  void Observe(std::function<void()> on_bell, std::function<void()> on_closed);
  // Wakes the peer.
  void RingPeer();
  // Rings at this end, from the loop.
  void RingOwn();
  // Ends the channel from this side; the peer sees that we are gone.
  void Close();
  bool closed() const { return closed_; }

 private:
  RingEnd(env::AsioLoop& loop, Descriptors descriptors);
  void OnBell();
  void OnSocket();
  void TellClosed();
  void PostTellClosed();

  env::AsioLoop& loop_;
  Descriptors descriptors_;
  std::function<void()> on_bell_;
  std::function<void()> on_closed_;
  bool closed_ = false;
  bool told_ = false;
  std::shared_ptr<RingEnd*> self_;  // for posted tasks; what it points to is empty when destroyed
  std::unique_ptr<env::Watch> bell_watch_;
  std::unique_ptr<env::Watch> socket_watch_;
};

}  // namespace primus::handover
