// The transport seam: listeners and connections that exchange frames.
//
// Three implementations pass one conformance suite (network_conformance.h): gRPC over Unix sockets
// (grpc_network.h), in-process (inproc_network.h) and the simulator's. All callbacks run on the
// event loop that the network was made with; all methods are called there.
//
// A call ends exactly once: with the handler's answer, with its error, with kDeadlineExceeded
// after `timeout` (the handler may still run, or have run), or with kUnavailable when the peer
// cannot be reached or goes away. Destroying a connection drops the callbacks of pending calls.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "primus/base/result.h"
#include "primus/base/time.h"
#include "primus/rpc/frame.h"

namespace primus::rpc {

// Answers one call; call it once, now or later. Dropping it unanswered answers kInternal.
using ReplyFrame = std::function<void(Result<Frame>)>;
using FrameHandler = std::function<void(std::string_view method, Frame request, ReplyFrame reply)>;
using FrameDone = std::function<void(Result<Frame>)>;

class Listener {
 public:
  // Stops listening; replies still open go nowhere.
  virtual ~Listener() = default;
};

class Connection {
 public:
  virtual ~Connection() = default;
  virtual void Call(std::string_view method, Frame request, Duration timeout, FrameDone done) = 0;
};

class Network {
 public:
  virtual ~Network() = default;
  // kAlreadyExists when somebody listens there already.
  virtual Result<std::unique_ptr<Listener>> Listen(const Address& address,
                                                   FrameHandler handler) = 0;
  // Never fails at once: a peer that is not there shows in the calls, and one that comes back is
  // reached again.
  virtual std::unique_ptr<Connection> Connect(const Address& address) = 0;
};

}  // namespace primus::rpc
