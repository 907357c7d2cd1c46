#include "primus/handover/ring_end.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <utility>

namespace primus::handover {

RingEnd::RingEnd(env::AsioLoop& loop, Descriptors descriptors)
    : loop_(loop), descriptors_(std::move(descriptors)), self_(std::make_shared<RingEnd*>(this)) {}

RingEnd::~RingEnd() { *self_ = nullptr; }

Result<std::unique_ptr<RingEnd>> RingEnd::Create(env::AsioLoop& loop, Descriptors descriptors) {
  std::unique_ptr<RingEnd> end(new RingEnd(loop, std::move(descriptors)));
  PRIMUS_ASSIGN(end->bell_watch_, loop.WatchReadable(end->descriptors_.own_bell.get(),
                                                     [raw = end.get()] { raw->OnBell(); }));
  PRIMUS_ASSIGN(end->socket_watch_, loop.WatchReadable(end->descriptors_.socket.get(),
                                                       [raw = end.get()] { raw->OnSocket(); }));
  return end;
}

void RingEnd::Observe(std::function<void()> on_bell, std::function<void()> on_closed) {
  on_bell_ = std::move(on_bell);
  on_closed_ = std::move(on_closed);
  if (closed_) PostTellClosed();
}

void RingEnd::RingPeer() {
  const uint64_t one = 1;
  // EAGAIN means that the bell rings already. Any other failure shows as the end of the socket.
  [[maybe_unused]] const ssize_t written = ::write(descriptors_.peer_bell.get(), &one, sizeof(one));
}

void RingEnd::RingOwn() {
  loop_.Post([self = self_] {
    if (*self != nullptr) (*self)->OnBell();
  });
}

void RingEnd::Close() {
  if (closed_) return;
  closed_ = true;
  bell_watch_.reset();
  socket_watch_.reset();
  descriptors_.socket = UniqueFd();
  PostTellClosed();
}

void RingEnd::OnBell() {
  uint64_t rings = 0;
  // Only empties the counter; a doorbell that did not ring is EAGAIN and nothing is lost.
  [[maybe_unused]] const ssize_t got = ::read(descriptors_.own_bell.get(), &rings, sizeof(rings));
  if (closed_ || !on_bell_) return;
  const auto on_bell = on_bell_;  // it may destroy this end, and the original with it
  on_bell();
}

void RingEnd::OnSocket() {
  const auto packet = ReceivePacket(descriptors_.socket.get());
  // Nothing is said after the handshake: anything but silence is the end.
  if (packet.ok() && !packet->has_value()) return;
  closed_ = true;
  bell_watch_.reset();
  descriptors_.socket = UniqueFd();
  const std::unique_ptr<env::Watch> watch = std::move(socket_watch_);
  TellClosed();
}

void RingEnd::TellClosed() {
  if (told_ || !on_closed_) return;
  told_ = true;
  const auto on_closed = on_closed_;
  on_closed();
}

void RingEnd::PostTellClosed() {
  loop_.Post([self = self_] {
    if (*self != nullptr) (*self)->TellClosed();
  });
}

}  // namespace primus::handover
