#include "primus/rpc/grpc_network.h"

#include <utility>

#include "primus/rpc/grpc_connection.h"
#include "primus/rpc/grpc_frame.h"
#include "primus/rpc/grpc_listener.h"

namespace primus::rpc {

struct GrpcNetwork::State {
  env::EventLoop& loop;
  std::shared_ptr<const GrpcFrames> frames;
  std::shared_ptr<GrpcAnswers> answers;
};

GrpcNetwork::GrpcNetwork(env::EventLoop& loop, telemetry::Registry& metrics, FrameRules rules) {
  auto frames = std::make_shared<const GrpcFrames>(std::move(rules), metrics);
  auto answers = std::make_shared<GrpcAnswers>(loop, frames, metrics);
  state_ = std::make_unique<State>(loop, std::move(frames), std::move(answers));
}

GrpcNetwork::~GrpcNetwork() = default;

Result<std::unique_ptr<Listener>> GrpcNetwork::Listen(const Address& address,
                                                      FrameHandler handler) {
  return ListenGrpc(state_->loop, state_->frames, address, std::move(handler));
}

std::unique_ptr<Connection> GrpcNetwork::Connect(const Address& address) {
  return ConnectGrpc(state_->answers, address);
}

}  // namespace primus::rpc
