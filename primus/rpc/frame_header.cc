#include "primus/rpc/frame_header.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace primus::rpc {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are copied as they stand");

constexpr std::string_view kMagic = "PRMF";
constexpr std::size_t kProtocolAt = 4, kRequestAt = 8, kMessageAt = 16, kPayloadAt = 24,
                      kCodeAt = 32, kBuildAt = 36;
static_assert(kBuildAt + kBuildBytesMax == kHeaderBytes);

template <class Number>
void Put(Number number, std::size_t at, HeaderBytes& bytes) {
  std::memcpy(bytes.data() + at, &number, sizeof(number));
}

template <class Number>
Number Get(std::string_view bytes, std::size_t at) {
  Number number;
  std::memcpy(&number, bytes.data() + at, sizeof(number));
  return number;
}

std::string_view BuildOf(const FrameRules& rules) {
  return std::string_view(rules.build).substr(0, kBuildBytesMax);
}

std::string Describe(uint32_t protocol, std::string_view build) {
  std::string text = "protocol " + std::to_string(protocol);
  if (!build.empty()) text.append(" of build ").append(build);
  return text;
}

Status CheckHello(std::string_view bytes, const FrameRules& rules) {
  const auto protocol = Get<uint32_t>(bytes, kProtocolAt);
  std::string_view build = bytes.substr(kBuildAt, kBuildBytesMax);
  build = build.substr(0, build.find('\0'));
  const std::string_view own = BuildOf(rules);
  const bool same_build = build.empty() || own.empty() || build == own;
  if (protocol == rules.protocol && same_build) return OkStatus();
  return UnimplementedError("the peer speaks " + Describe(protocol, build) +
                            ", this process speaks " + Describe(rules.protocol, own));
}

Status TooLarge(uint64_t bytes, const FrameRules& rules) {
  return ResourceExhaustedError("frame of " + std::to_string(bytes) + " bytes, at most " +
                                std::to_string(rules.frame_bytes_max) + " are taken");
}

}  // namespace

HeaderBytes EncodeHeader(const FrameHeader& header, const FrameRules& rules) {
  HeaderBytes bytes{};
  std::ranges::copy(kMagic, bytes.begin());
  Put(rules.protocol, kProtocolAt, bytes);
  Put(header.request_id, kRequestAt, bytes);
  Put(header.message_bytes, kMessageAt, bytes);
  Put(header.payload_bytes, kPayloadAt, bytes);
  Put(static_cast<uint32_t>(header.code), kCodeAt, bytes);
  std::ranges::copy(BuildOf(rules), bytes.begin() + kBuildAt);
  return bytes;
}

Result<FrameHeader> DecodeHeader(std::string_view bytes, uint64_t total_bytes,
                                 const FrameRules& rules) {
  if (bytes.size() < kHeaderBytes || total_bytes < kHeaderBytes || !bytes.starts_with(kMagic)) {
    return DataLossError("not a frame: " + std::to_string(total_bytes) + " bytes");
  }
  PRIMUS_TRY(CheckHello(bytes, rules));
  const FrameHeader header{.code = static_cast<StatusCode>(Get<uint32_t>(bytes, kCodeAt)),
                           .request_id = Get<uint64_t>(bytes, kRequestAt),
                           .message_bytes = Get<uint64_t>(bytes, kMessageAt),
                           .payload_bytes = Get<uint64_t>(bytes, kPayloadAt)};
  if (total_bytes - kHeaderBytes > rules.frame_bytes_max) {
    return TooLarge(total_bytes - kHeaderBytes, rules);
  }
  const uint64_t body = total_bytes - kHeaderBytes;
  if (header.message_bytes > body || header.payload_bytes != body - header.message_bytes) {
    return DataLossError("frame of " + std::to_string(body) + " bytes announces " +
                         std::to_string(header.message_bytes) + " and " +
                         std::to_string(header.payload_bytes));
  }
  if (header.code < StatusCode::kOk || header.code > StatusCode::kUnauthenticated) {
    return DataLossError("frame with an unknown status code");
  }
  return header;
}

Status CheckSize(const Frame& frame, const FrameRules& rules) {
  const uint64_t bytes = frame.message.size() + frame.payload.size();
  return bytes > rules.frame_bytes_max ? TooLarge(bytes, rules) : OkStatus();
}

AnswerFrame ToAnswer(Result<Frame> result, uint64_t request_id, const FrameRules& rules) {
  Status error = result.status();
  if (error.ok()) error = CheckSize(*result, rules).WithContext("answering");
  AnswerFrame answer{.code = error.code(), .frame = {}};
  if (error.ok()) {
    answer.frame = *std::move(result);
  } else {
    answer.frame.message = error.message();
  }
  answer.frame.request_id = request_id;
  return answer;
}

std::string EncodeFrame(StatusCode code, const Frame& frame, const FrameRules& rules) {
  const HeaderBytes header = EncodeHeader({.code = code,
                                           .request_id = frame.request_id,
                                           .message_bytes = frame.message.size(),
                                           .payload_bytes = frame.payload.size()},
                                          rules);
  std::string bytes;
  bytes.reserve(header.size() + frame.message.size() + frame.payload.size());
  bytes.append(header.data(), header.size());
  bytes.append(frame.message);
  bytes.append(frame.payload);
  return bytes;
}

Result<Frame> DecodeFrame(std::string_view bytes, const FrameRules& rules) {
  PRIMUS_ASSIGN(const FrameHeader header, DecodeHeader(bytes, bytes.size(), rules));
  std::string message(bytes.substr(kHeaderBytes, header.message_bytes));
  if (header.code != StatusCode::kOk) return Status(header.code, std::move(message));
  return Frame{.request_id = header.request_id,
               .message = std::move(message),
               .payload = std::string(bytes.substr(kHeaderBytes + header.message_bytes))};
}

}  // namespace primus::rpc
