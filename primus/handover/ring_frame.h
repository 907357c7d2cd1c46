// What the two ends of a ring say to each other over the socket before the ring is used, one frame
// a packet: {magic "PRNG", version, kind, length}, then the body.
//
//   writer: Hello                                                  -> reader
//   reader: Welcome (make the memory), or Refused with the reason  -> writer
//   writer: Memory, with the memfd and the two eventfds beside it  -> reader
//   reader: Ready, or Refused                                      -> writer
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "primus/base/result.h"
#include "primus/handover/handover.h"
#include "primus/handover/ring_memory.h"

namespace primus::handover {

enum class FrameKind : uint16_t { kHello = 1, kWelcome = 2, kRefused = 3, kMemory = 4, kReady = 5 };

struct RingFrame {
  FrameKind kind = FrameKind::kHello;
  Hello hello;      // of kHello
  Status refusal;   // of kRefused
  RingShape shape;  // of kMemory
};

std::string EncodeFrame(const RingFrame& frame);
// kFailedPrecondition for another version (naming both), kDataLoss for anything else that is not a
// frame. Hostile bytes do no harm.
Result<RingFrame> DecodeFrame(std::string_view bytes);

}  // namespace primus::handover
