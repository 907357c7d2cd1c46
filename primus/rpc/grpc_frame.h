// Frames as gRPC byte buffers, without copying what is sent.
#pragma once

#include <span>
#include <string_view>

#include "primus/base/result.h"
#include "primus/rpc/frame_header.h"
#include "primus/telemetry/metrics.h"

namespace grpc {
class ByteBuffer;
class Status;
}  // namespace grpc

namespace primus::rpc {

// What one network's connections and listeners share. Any thread.
class GrpcFrames {
 public:
  GrpcFrames(FrameRules rules, telemetry::Registry& metrics);

  const FrameRules& rules() const { return rules_; }
  // Whole messages that gRPC takes at most.
  int MessageBytesMax() const;
  void Encode(StatusCode code, Frame frame, grpc::ByteBuffer* buffer) const;
  // An answer that failed is its status.
  Result<Frame> Decode(const grpc::ByteBuffer& buffer) const;

 private:
  FrameRules rules_;
  telemetry::Counter& received_frames_;
  telemetry::Counter& received_bytes_;
  telemetry::Counter& refused_;
};

// Settings of gRPC that both ends of a connection share.
struct TransportArgument {
  const char* name;
  int value;
};
std::span<const TransportArgument> TransportArguments();

// Why a call has no answer. Handlers' errors travel in frames, so what gRPC itself reports is the
// transport's: nearly always that the peer is not there or went away.
Status FromTransport(const grpc::Status& status, std::string_view where);

}  // namespace primus::rpc
