// gRPC over Unix sockets: the network between the processes of one machine.
//
// Addresses are "unix:/path" with at most 107 bytes of path; the socket file has mode 0600. gRPC's
// generic interface carries frames as raw bytes: the method is the request's path, the frame's
// header (frame_header.h) leads each message. All methods run on the loop's thread and all
// callbacks on the loop; one thread waits for answers and one per listener for requests, and both
// are joined by their owners. Outlived by its loop and registry; it may go before its listeners
// and connections.
#pragma once

#include <memory>

#include "primus/env/event_loop.h"
#include "primus/rpc/frame_header.h"
#include "primus/rpc/network.h"
#include "primus/telemetry/metrics.h"

namespace primus::rpc {

class GrpcNetwork final : public Network {
 public:
  GrpcNetwork(env::EventLoop& loop, telemetry::Registry& metrics, FrameRules rules = {});
  ~GrpcNetwork() override;

  Result<std::unique_ptr<Listener>> Listen(const Address& address, FrameHandler handler) override;
  std::unique_ptr<Connection> Connect(const Address& address) override;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace primus::rpc
