// The calling half of the gRPC network.
#pragma once

#include <memory>

#include "primus/env/event_loop.h"
#include "primus/rpc/grpc_frame.h"
#include "primus/rpc/network.h"

namespace primus::rpc {

// Owns the one thread that waits for the answers to all calls of a network; joined when the last
// connection and the network are gone.
class GrpcAnswers {
 public:
  GrpcAnswers(env::EventLoop& loop, std::shared_ptr<const GrpcFrames> frames,
              telemetry::Registry& metrics);
  ~GrpcAnswers();
  GrpcAnswers(const GrpcAnswers&) = delete;
  GrpcAnswers& operator=(const GrpcAnswers&) = delete;

  struct State;
  State& state() { return *state_; }

 private:
  std::unique_ptr<State> state_;
};

std::unique_ptr<Connection> ConnectGrpc(std::shared_ptr<GrpcAnswers> answers,
                                        const Address& address);

}  // namespace primus::rpc
