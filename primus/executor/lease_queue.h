// The tasks that this executor has leased and not begun, and its requests for more.
//
// Pure. At most one request is open. A request that failed is asked again under its number, so
// that the master, if it has granted already, gives the same answer; every answer ends its number.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include "primus/base/result.h"
#include "primus/base/time.h"
#include "primus/executor/leased_task.h"

namespace primus::executor {

// Leased and not begun, at most.
inline constexpr uint32_t kTasksAhead = 2;

class LeaseQueue {
 public:
  struct Ask {
    uint64_t request = 0;
    uint32_t tasks_max = 0;
  };

  // The request to send now, if one is due.
  std::optional<Ask> TryAsk(Instant now);
  void Answered(uint64_t request, Result<LeaseAnswer> answer, Instant now);
  // Something changed at the master: what it answered kWait to may be there now.
  void AskSoon(Instant now) { not_before_ = now; }

  // The next task in lease order.
  std::optional<LeasedTask> Take();
  // No task is here, and the master had none for this phase when it was asked last.
  bool drained() const { return drained_ && tasks_.empty(); }
  std::optional<Instant> next_wake() const;
  // Forgets tasks and the open request; its number is not used again.
  void Clear(Instant now);

 private:
  void BackOff(Duration first, Duration max, Instant now);

  std::deque<LeasedTask> tasks_;
  uint64_t request_ = 0;  // the open one, or the last
  uint32_t asked_ = 0;  // tasks_max under this number: a repeated request is the same; 0: not asked
  bool open_ = false;
  bool drained_ = false;
  Duration back_off_{0};
  Instant not_before_;
};

}  // namespace primus::executor
