#include "primus/handover/ring_acceptor.h"

#include <unistd.h>

#include <optional>
#include <utility>

namespace primus::handover {
namespace {

// Handshakes at a time; more are hung up on, and try again.
constexpr std::size_t kPendingMax = 256;

}  // namespace

RingAcceptor::RingAcceptor(env::AsioLoop& loop, std::string address, Duration timeout)
    : loop_(loop), address_(std::move(address)), timeout_(timeout) {}

RingAcceptor::~RingAcceptor() {
  if (listener_.valid()) ::unlink(address_.c_str());
}

Result<std::unique_ptr<RingAcceptor>> RingAcceptor::Create(env::AsioLoop& loop, std::string address,
                                                           Duration timeout) {
  std::unique_ptr<RingAcceptor> acceptor(new RingAcceptor(loop, std::move(address), timeout));
  PRIMUS_ASSIGN(acceptor->listener_, ListenAt(acceptor->address_));
  PRIMUS_ASSIGN(acceptor->watch_,
                loop.WatchReadable(acceptor->listener_.get(),
                                   [raw = acceptor.get()] { raw->OnConnection(); }));
  return acceptor;
}

void RingAcceptor::Serve(Admit admit, OnReader on_reader) {
  admit_ = std::move(admit);
  on_reader_ = std::move(on_reader);
}

void RingAcceptor::OnConnection() {
  Result<std::optional<UniqueFd>> socket = AcceptFrom(listener_.get());
  // An error here (no descriptors left) is the connecting side's to see: it times out and retries.
  if (!socket.ok() || !socket->has_value()) return;
  if (pending_.size() < kPendingMax) Begin(std::move(**socket));
}

void RingAcceptor::Begin(UniqueFd socket) {
  const uint64_t id = ++ids_;
  Result<std::unique_ptr<Handshake>> handshake = Handshake::Create(
      loop_, std::move(socket), timeout_,
      {.on_frame = [this, id](const RingFrame& frame,
                              std::vector<UniqueFd> fds) { OnFrame(id, frame, std::move(fds)); },
       .on_failed = [this, id](const Status& /*error*/) { pending_.erase(id); }});
  // Not watchable: hung up on, and the other side tries again.
  if (handshake.ok()) pending_[id].handshake = std::move(*handshake);
}

void RingAcceptor::OnFrame(uint64_t id, const RingFrame& frame, std::vector<UniqueFd> fds) {
  Pending& pending = pending_[id];
  if (frame.kind == FrameKind::kHello && !pending.admitted) {
    if (Status admitted = admit_(frame.hello); !admitted.ok()) return Refuse(id, admitted);
    pending.admitted = true;
    pending.hello = frame.hello;
    const Status sent = pending.handshake->Send(
        {.kind = FrameKind::kWelcome, .hello = {}, .refusal = {}, .shape = {}});
    if (!sent.ok()) pending_.erase(id);
    return;
  }
  if (frame.kind != FrameKind::kMemory || !pending.admitted) {
    return Refuse(id, DataLossError("the writer of a ring said something out of turn"));
  }
  Result<std::unique_ptr<Reader>> reader = MakeReader(pending, frame, std::move(fds));
  if (!reader.ok()) return Refuse(id, reader.status());
  pending_.erase(id);
  const OnReader on_reader = on_reader_;  // it may destroy this
  on_reader(std::move(*reader));
}

Result<std::unique_ptr<Reader>> RingAcceptor::MakeReader(Pending& pending, const RingFrame& frame,
                                                         std::vector<UniqueFd> fds) {
  if (fds.size() != kPacketFdsMax) return DataLossError("a ring comes with three descriptors");
  // The view may have moved on since the Hello.
  PRIMUS_TRY(admit_(pending.hello));
  PRIMUS_ASSIGN(RingMemory memory, RingMemory::Map(std::move(fds[0]), frame.shape));
  PRIMUS_TRY(pending.handshake->Send(
      {.kind = FrameKind::kReady, .hello = {}, .refusal = {}, .shape = {}}));
  PRIMUS_ASSIGN(std::unique_ptr<RingEnd> end,
                RingEnd::Create(loop_, {.socket = pending.handshake->TakeSocket(),
                                        .own_bell = std::move(fds[1]),
                                        .peer_bell = std::move(fds[2])}));
  return std::unique_ptr<Reader>(
      std::make_unique<RingReader>(std::move(memory), std::move(end), pending.hello));
}

void RingAcceptor::Refuse(uint64_t id, const Status& reason) {
  // A peer that cannot be told is gone, which is the same to us.
  (void)pending_[id].handshake->Send(
      {.kind = FrameKind::kRefused, .hello = {}, .refusal = reason, .shape = {}});
  pending_.erase(id);
}

}  // namespace primus::handover
