// The serving half of the gRPC network.
#pragma once

#include <memory>

#include "primus/env/event_loop.h"
#include "primus/rpc/grpc_frame.h"
#include "primus/rpc/network.h"

namespace primus::rpc {

Result<std::unique_ptr<Listener>> ListenGrpc(env::EventLoop& loop,
                                             std::shared_ptr<const GrpcFrames> frames,
                                             const Address& address, FrameHandler handler);

}  // namespace primus::rpc
