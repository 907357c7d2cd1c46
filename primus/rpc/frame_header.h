// The head of every frame on a network, and what a receiver checks before it takes memory.
//
//   0  magic "PRMF"        16  message bytes u64     36  build text, zero-padded to 28
//   4  protocol u32        24  payload bytes u64     64  message, then payload
//   8  request id u64      32  status code u32
//
// Little-endian. In an answer that failed the code is not 0 and the message is the error's text.
// Protocol and build keep their place in every version, so that both can be named when they differ.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "primus/base/result.h"
#include "primus/rpc/frame.h"

namespace primus::rpc {

inline constexpr uint32_t kProtocol = 1;
inline constexpr std::size_t kHeaderBytes = 64;
inline constexpr std::size_t kBuildBytesMax = 28;
using HeaderBytes = std::array<char, kHeaderBytes>;

// What one side of a connection is and takes. Two sides must have the same protocol, and the same
// build unless one of them names none.
struct FrameRules {
  uint32_t protocol = kProtocol;
  std::string build{};  // cut to kBuildBytesMax
  uint64_t frame_bytes_max = uint64_t{512} << 20;
};

struct FrameHeader {
  StatusCode code = StatusCode::kOk;
  uint64_t request_id = 0;
  uint64_t message_bytes = 0;
  uint64_t payload_bytes = 0;
};

HeaderBytes EncodeHeader(const FrameHeader& header, const FrameRules& rules);

// `total_bytes` is the size of the whole frame. Not ours or cut short: kDataLoss; another protocol
// or build: kUnimplemented, naming both; too large: kResourceExhausted.
Result<FrameHeader> DecodeHeader(std::string_view bytes, uint64_t total_bytes,
                                 const FrameRules& rules);

// kResourceExhausted when `frame` is larger than a receiver takes.
Status CheckSize(const Frame& frame, const FrameRules& rules);

// An answer as a frame: the error's text and code, if it is one.
struct AnswerFrame {
  StatusCode code = StatusCode::kOk;
  Frame frame;
};
AnswerFrame ToAnswer(Result<Frame> result, uint64_t request_id, const FrameRules& rules);

// Whole frames in one string, for networks inside a process.
std::string EncodeFrame(StatusCode code, const Frame& frame, const FrameRules& rules);
// An answer that failed is its status.
Result<Frame> DecodeFrame(std::string_view bytes, const FrameRules& rules);

}  // namespace primus::rpc
