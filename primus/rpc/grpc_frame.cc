#include "primus/rpc/grpc_frame.h"

#include <grpc/grpc.h>
#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/slice.h>
#include <grpcpp/support/status.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "primus/telemetry/catalog.h"

namespace primus::rpc {
namespace {

// Below this a copy into the header's slice is cheaper than a slice of its own.
constexpr std::size_t kCopiedBytesMax = 4096;

// A socket on one host has no line to probe or to share out fairly: large windows and frames save
// turns, and the rest is bookkeeping that nobody reads.
constexpr TransportArgument kTransport[] = {
    {.name = GRPC_ARG_HTTP2_BDP_PROBE, .value = 0},
    {.name = GRPC_ARG_HTTP2_STREAM_LOOKAHEAD_BYTES, .value = 16 << 20},
    {.name = GRPC_ARG_HTTP2_MAX_FRAME_SIZE, .value = 1 << 20},
    {.name = GRPC_ARG_HTTP2_WRITE_BUFFER_SIZE, .value = 1 << 20},
    {.name = GRPC_ARG_ENABLE_CHANNELZ, .value = 0},
    {.name = GRPC_ARG_ENABLE_CENSUS, .value = 0},
    {.name = GRPC_ARG_ENABLE_PER_MESSAGE_COMPRESSION, .value = 0},
    {.name = GRPC_ARG_ENABLE_PER_MESSAGE_DECOMPRESSION, .value = 0},
};

// A slice that owns `text`.
grpc::Slice Adopt(std::string text) {
  auto owner = std::make_unique<std::string>(std::move(text));
  std::string* owned = owner.release();
  return grpc::Slice(
      owned->data(), owned->size(), [](void* data) { delete static_cast<std::string*>(data); },
      owned);
}

std::string_view ViewOf(const grpc::Slice& slice) {
  return {reinterpret_cast<const char*>(slice.begin()), slice.size()};
}

// Reads a buffer's bytes in order.
class SliceReader {
 public:
  explicit SliceReader(const std::vector<grpc::Slice>& slices) : slices_(slices) {}
  // The next `size` bytes or what is left of them. The caller has checked `size`.
  std::string Take(uint64_t size) {
    std::string text;
    text.reserve(size);
    while (text.size() < size && next_ < slices_.size()) {
      const std::string_view rest = ViewOf(slices_[next_]).substr(offset_);
      const std::string_view part = rest.substr(0, size - text.size());
      text.append(part);
      offset_ += part.size();
      if (part.size() == rest.size()) {
        ++next_;
        offset_ = 0;
      }
    }
    return text;
  }

 private:
  const std::vector<grpc::Slice>& slices_;
  std::size_t next_ = 0;
  std::size_t offset_ = 0;
};

}  // namespace

GrpcFrames::GrpcFrames(FrameRules rules, telemetry::Registry& metrics)
    : rules_(std::move(rules)),
      received_frames_(metrics.Get(telemetry::kRpcReceivedFrames)),
      received_bytes_(metrics.Get(telemetry::kRpcReceivedBytes)),
      refused_(metrics.Get(telemetry::kRpcRefusedFrames)) {}

std::span<const TransportArgument> TransportArguments() { return kTransport; }

int GrpcFrames::MessageBytesMax() const {
  return static_cast<int>(
      std::min<uint64_t>(rules_.frame_bytes_max + kHeaderBytes, std::numeric_limits<int>::max()));
}

void GrpcFrames::Encode(StatusCode code, Frame frame, grpc::ByteBuffer* buffer) const {
  const HeaderBytes header = EncodeHeader({.code = code,
                                           .request_id = frame.request_id,
                                           .message_bytes = frame.message.size(),
                                           .payload_bytes = frame.payload.size()},
                                          rules_);
  std::string head(header.data(), header.size());
  std::vector<grpc::Slice> slices;
  for (std::string* part : {&frame.message, &frame.payload}) {
    if (slices.empty() && part->size() <= kCopiedBytesMax) {
      head.append(*part);
    } else if (!part->empty()) {
      slices.push_back(Adopt(std::move(*part)));
    }
  }
  slices.insert(slices.begin(), grpc::Slice(head));
  *buffer = grpc::ByteBuffer(slices.data(), slices.size());
}

Result<Frame> GrpcFrames::Decode(const grpc::ByteBuffer& buffer) const {
  received_frames_.Add(1);
  received_bytes_.Add(buffer.Length());
  std::vector<grpc::Slice> slices;
  if (!buffer.Dump(&slices).ok()) slices.clear();  // not readable: refused as no frame
  SliceReader reader(slices);
  const Result<FrameHeader> header =
      DecodeHeader(reader.Take(kHeaderBytes), buffer.Length(), rules_);
  if (!header.ok()) {
    refused_.Add(1);
    return header.status();
  }
  Frame frame{.request_id = header->request_id,
              .message = reader.Take(header->message_bytes),
              .payload = reader.Take(header->payload_bytes)};
  if (header->code != StatusCode::kOk) return Status(header->code, std::move(frame.message));
  return frame;
}

Status FromTransport(const grpc::Status& status, std::string_view where) {
  std::string text(where);
  switch (status.error_code()) {
    case grpc::StatusCode::OK:
      return OkStatus();
    case grpc::StatusCode::DEADLINE_EXCEEDED:
      return DeadlineExceededError(text + ": no answer in time");
    case grpc::StatusCode::RESOURCE_EXHAUSTED:
      return ResourceExhaustedError(text + ": " + status.error_message());
    case grpc::StatusCode::UNIMPLEMENTED:
      return UnimplementedError(text + ": " + status.error_message());
    default:
      return UnavailableError(text + ": " + status.error_message());
  }
}

}  // namespace primus::rpc
