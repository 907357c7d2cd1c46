// The simulated network: messages are delayed, dropped, doubled, reordered and cut off between
// processes, as `Faults` and the test say. Delivers to live processes only; to a stopped one when
// it is continued. The address of a stopped or disowned process may be taken over; whoever was
// connected to it stays with it as long as it lives.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "primus/rpc/network.h"
#include "primus/sim/faults.h"
#include "primus/sim/world.h"

namespace primus::sim {

// A message at the instant in which it is sent, whatever becomes of it.
struct Sent {
  ProcessId from = 0;
  ProcessId to = 0;  // of an answer; a request's receiver is not known yet
  std::string_view method;
  const rpc::Frame& request;
  const Result<rpc::Frame>* answer = nullptr;  // null: this is the request
};

class Net {
 public:
  Net(World& world, Faults& faults);
  ~Net();

  // The network as `process` sees it; it must not outlive this Net.
  std::unique_ptr<rpc::Network> NetworkOf(ProcessId process);
  // No message passes between the two, either way, for `duration`.
  void Partition(ProcessId a, ProcessId b, Duration duration);
  // Ends all partitions.
  void Heal();
  // The world takes `process` for gone although it may live: others may listen at its addresses.
  void Disown(ProcessId process);
  // Shows every message, once for each time that it is sent. Replaces the former observer.
  void OnSent(std::function<void(const Sent&)> observer);
  // Ends the calls to a process that died; call it from World::OnDeath.
  void OnDeath(ProcessId process);

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace primus::sim
