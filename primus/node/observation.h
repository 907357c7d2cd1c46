// What a master sees of its containers, as a numbered state with long polls.
//
// One master asks at a time; a newer question answers the one before with the same state. Loop
// thread only.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "primus/env/event_loop.h"
#include "primus/orchestrate/controller.h"
#include "primus/rpc/server.h"

namespace primus::wire {
class ObserveResponse;
}

namespace primus::node {

class Observation {
 public:
  using Reply = rpc::Reply<wire::ObserveResponse>;
  enum class Wish { kGoOn, kStop };  // the user's

  explicit Observation(env::EventLoop& loop);
  ~Observation();

  // Takes the next number, if anything differs, and answers who waits.
  void Set(std::vector<orchestrate::Controller::Life> lives, Wish wish);
  // Answers now if the state is another than `version`, else when it is, or after a while.
  void Ask(uint64_t version, Reply reply);

 private:
  void Answer(const Reply& reply) const;
  void AnswerWaiting();

  env::Timer timer_;
  uint64_t version_ = 1;
  std::vector<orchestrate::Controller::Life> lives_;
  Wish wish_ = Wish::kGoOn;
  std::optional<Reply> waiting_;
};

}  // namespace primus::node
