#include "primus/sim/network.h"

#include <gtest/gtest.h>

#include "primus/rpc/network_conformance.h"

namespace primus::rpc {
namespace {

class SimNetworkWorld {
 public:
  env::EventLoop& loop() { return world_.EnvironmentOf(client_).loop; }
  Network& ServerNetwork() { return *server_network_; }
  Network& ClientNetwork() { return *client_network_; }
  Address NewAddress() { return "sim:peer"; }
  bool RunUntil(const std::function<bool()>& holds) { return world_.RunUntil(holds, Seconds(60)); }

 private:
  sim::World world_{1};
  sim::Faults faults_;
  sim::Net net_{world_, faults_};
  sim::ProcessId server_ = world_.Spawn("server");
  sim::ProcessId client_ = world_.Spawn("client");
  std::unique_ptr<Network> server_network_ = net_.NetworkOf(server_);
  std::unique_ptr<Network> client_network_ = net_.NetworkOf(client_);
};

INSTANTIATE_TYPED_TEST_SUITE_P(Sim, NetworkCalls, SimNetworkWorld);
INSTANTIATE_TYPED_TEST_SUITE_P(Sim, NetworkPeers, SimNetworkWorld);

}  // namespace
}  // namespace primus::rpc
