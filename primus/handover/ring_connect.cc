#include "primus/handover/ring_connect.h"

#include <sys/eventfd.h>

#include <cerrno>
#include <utility>

namespace primus::handover {
namespace {

RingShape ShapeOf(const ChannelOptions& options) {
  return {.slots = options.slots, .slot_bytes = (options.slot_bytes_max + 63) / 64 * 64};
}

Result<UniqueFd> NewBell() {
  UniqueFd fd(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
  if (!fd.valid()) return ErrnoError("making a doorbell", errno);
  return fd;
}

}  // namespace

RingConnect::RingConnect(env::AsioLoop& loop, const Options& options, Done done)
    : loop_(loop), shape_(ShapeOf(options.channel)), done_(std::move(done)) {}

Result<std::unique_ptr<RingConnect>> RingConnect::Start(env::AsioLoop& loop, Options options,
                                                        Done done) {
  std::unique_ptr<RingConnect> connect(new RingConnect(loop, options, std::move(done)));
  PRIMUS_TRY(CheckShape(connect->shape_));
  PRIMUS_ASSIGN(UniqueFd socket, ConnectTo(options.address));
  RingConnect* raw = connect.get();
  PRIMUS_ASSIGN(
      connect->handshake_,
      Handshake::Create(loop, std::move(socket), options.timeout,
                        {.on_frame = [raw](const RingFrame& frame,
                                           std::vector<UniqueFd> /*fds*/) { raw->OnFrame(frame); },
                         .on_failed = [raw](const Status& error) { raw->Finish(error); }}));
  PRIMUS_TRY(connect->handshake_->Send(
      {.kind = FrameKind::kHello, .hello = std::move(options.hello), .refusal = {}, .shape = {}}));
  return connect;
}

void RingConnect::OnFrame(const RingFrame& frame) {
  if (frame.kind == FrameKind::kRefused) return Finish(frame.refusal);
  if (frame.kind == FrameKind::kWelcome && !memory_) {
    if (Status sent = SendMemory(); !sent.ok()) Finish(sent);
    return;
  }
  if (frame.kind == FrameKind::kReady && memory_) return Finish(MakeWriter());
  Finish(DataLossError("the reader of a ring said something out of turn"));
}

Status RingConnect::SendMemory() {
  PRIMUS_ASSIGN(reader_bell_, NewBell());
  PRIMUS_ASSIGN(writer_bell_, NewBell());
  PRIMUS_ASSIGN(RingMemory memory, RingMemory::Create(shape_));
  memory_.emplace(std::move(memory));
  const int fds[] = {memory_->fd(), reader_bell_.get(), writer_bell_.get()};
  return handshake_->Send({.kind = FrameKind::kMemory, .hello = {}, .refusal = {}, .shape = shape_},
                          fds);
}

Result<std::unique_ptr<Writer>> RingConnect::MakeWriter() {
  PRIMUS_ASSIGN(std::unique_ptr<RingEnd> end,
                RingEnd::Create(loop_, {.socket = handshake_->TakeSocket(),
                                        .own_bell = std::move(writer_bell_),
                                        .peer_bell = std::move(reader_bell_)}));
  return std::unique_ptr<Writer>(std::make_unique<RingWriter>(std::move(*memory_), std::move(end)));
}

void RingConnect::Finish(Result<std::unique_ptr<Writer>> result) {
  const Done done = std::move(done_);  // it may destroy this
  done(std::move(result));
}

}  // namespace primus::handover
