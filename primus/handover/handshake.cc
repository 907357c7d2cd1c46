#include "primus/handover/handshake.h"

#include <utility>

namespace primus::handover {

Handshake::Handshake(env::AsioLoop& loop, UniqueFd socket, Callbacks callbacks)
    : socket_(std::move(socket)), callbacks_(std::move(callbacks)), timer_(loop) {}

Result<std::unique_ptr<Handshake>> Handshake::Create(env::AsioLoop& loop, UniqueFd socket,
                                                     Duration timeout, Callbacks callbacks) {
  std::unique_ptr<Handshake> handshake(
      new Handshake(loop, std::move(socket), std::move(callbacks)));
  PRIMUS_ASSIGN(
      handshake->watch_,
      loop.WatchReadable(handshake->socket_.get(), [raw = handshake.get()] { raw->OnReadable(); }));
  handshake->timer_.Set(timeout, [raw = handshake.get()] {
    raw->Fail(DeadlineExceededError("the peer of a ring said nothing in time"));
  });
  return handshake;
}

Status Handshake::Send(const RingFrame& frame, std::span<const int> fds) {
  return SendPacket(socket_.get(), EncodeFrame(frame), fds);
}

UniqueFd Handshake::TakeSocket() {
  watch_.reset();
  timer_.Cancel();
  return std::move(socket_);
}

void Handshake::OnReadable() {
  Result<std::optional<Packet>> packet = ReceivePacket(socket_.get());
  if (!packet.ok()) return Fail(packet.status());
  if (!packet->has_value()) return;
  const Result<RingFrame> frame = DecodeFrame((*packet)->bytes);
  if (!frame.ok()) {
    // The peer should know why. If it cannot be told, it is gone, and that is the same to us.
    (void)Send({.kind = FrameKind::kRefused, .hello = {}, .refusal = frame.status(), .shape = {}});
    return Fail(frame.status());
  }
  const auto on_frame = callbacks_.on_frame;  // it may destroy this
  on_frame(*frame, std::move((*packet)->fds));
}

void Handshake::Fail(const Status& error) {
  watch_.reset();
  timer_.Cancel();
  const auto on_failed = callbacks_.on_failed;
  on_failed(error);
}

}  // namespace primus::handover
