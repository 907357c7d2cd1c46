#include "primus/orchestrate/restart_history.h"

#include <algorithm>

namespace primus::orchestrate {

bool RestartHistory::TakeFailure(Instant started, Instant now) {
  if (now - started >= kHealthyTime) {
    failures_.clear();
    in_row_ = 0;
  }
  while (!failures_.empty() && now - failures_.front() > budget_.within) failures_.pop_front();
  if (failures_.size() >= budget_.limit) return false;
  failures_.push_back(now);
  ++in_row_;
  return true;
}

Duration RestartHistory::back_off() const {
  if (in_row_ == 0) return Duration(0);
  const uint32_t doublings = std::min<uint32_t>(in_row_ - 1, 16);
  return std::min<Duration>(kBackOffFirst * (1 << doublings), kBackOffMax);
}

}  // namespace primus::orchestrate
