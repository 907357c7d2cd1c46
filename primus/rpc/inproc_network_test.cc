#include "primus/rpc/inproc_network.h"

#include <gtest/gtest.h>

#include "primus/env/asio_loop.h"
#include "primus/rpc/network_conformance.h"

namespace primus::rpc {
namespace {

class InprocWorld {
 public:
  env::EventLoop& loop() { return loop_; }
  Network& ServerNetwork() { return network_; }
  Network& ClientNetwork() { return network_; }
  Address NewAddress() { return "inproc:peer"; }
  bool RunUntil(const std::function<bool()>& holds) { return loop_.RunUntil(holds, Seconds(60)); }

 private:
  env::AsioLoop loop_;
  InprocNetwork network_{loop_};
};

INSTANTIATE_TYPED_TEST_SUITE_P(Inproc, NetworkCalls, InprocWorld);
INSTANTIATE_TYPED_TEST_SUITE_P(Inproc, NetworkPeers, InprocWorld);

}  // namespace
}  // namespace primus::rpc
