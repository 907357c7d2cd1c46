// The failures of one replica: whether it may start again, and when.
//
// Back-off is 0.2 s after the first failure and doubles to 10 s; ten healthy minutes make the
// replica as good as new. Lives that the job ended itself (fencing) are not failures.
#pragma once

#include <cstdint>
#include <deque>

#include "primus/base/time.h"
#include "primus/orchestrate/job_plan.h"

namespace primus::orchestrate {

inline constexpr Duration kBackOffFirst = Milliseconds(200);
inline constexpr Duration kBackOffMax = Seconds(10);
inline constexpr Duration kHealthyTime = Seconds(600);

class RestartHistory {
 public:
  explicit RestartHistory(RestartBudget budget) : budget_(budget) {}

  // A life that began at `started` failed now. False if the budget is used up.
  bool TakeFailure(Instant started, Instant now);
  // How long to wait after the last failure.
  Duration back_off() const;

 private:
  RestartBudget budget_;
  std::deque<Instant> failures_;  // within the budget's time, at most its limit
  uint32_t in_row_ = 0;
};

}  // namespace primus::orchestrate
