// The network inside one process: roles that share an event loop, and tests.
//
// Addresses are any text ("inproc:master"). Frames are serialised and parsed as on a wire, and
// arrive by Post. Outlived by its loop; it may go before its listeners and connections.
#pragma once

#include <memory>

#include "primus/env/event_loop.h"
#include "primus/rpc/frame_header.h"
#include "primus/rpc/network.h"

namespace primus::rpc {

class InprocNetwork final : public Network {
 public:
  explicit InprocNetwork(env::EventLoop& loop, FrameRules rules = {});
  ~InprocNetwork() override;

  Result<std::unique_ptr<Listener>> Listen(const Address& address, FrameHandler handler) override;
  std::unique_ptr<Connection> Connect(const Address& address) override;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace primus::rpc
