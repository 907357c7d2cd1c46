// One request to every ps, each sent until it is answered well: exactly one call at a time to each,
// again after a back-off that doubles, or at once after a new directive. Value.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "primus/base/time.h"

namespace primus::trainer {

class Fanout {
 public:
  // To ps 0 … count − 1, all due now.
  void Start(std::size_t count, Instant now);
  // Those that are due; they count as sent.
  std::vector<uint32_t> TakeDue(Instant now);
  void Succeeded(uint32_t ps) { peers_[ps].state = State::kDone; }
  // How often this one was refused since the last MakeAllDue, this time included.
  uint32_t Refused(uint32_t ps, Instant now);
  // What waits for its back-off waits no more.
  void MakeAllDue(Instant now);

  bool done() const;
  // When the first that waits is due.
  std::optional<Instant> next_due() const;

 private:
  enum class State { kDue, kSent, kDone };
  struct Peer {
    State state = State::kDue;
    Instant due;
    uint32_t refusals = 0;
  };
  std::vector<Peer> peers_;
};

}  // namespace primus::trainer
