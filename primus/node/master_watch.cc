#include "primus/node/master_watch.h"

#include <algorithm>

namespace primus::node {

void MasterWatch::Hear(const runtime::ContainerId& master) {
  container_ = master;
  silence_ = Duration(0);
  was_heard_ = true;
}

bool MasterWatch::Tick(const std::optional<runtime::ContainerId>& master, Instant now) {
  const Duration passed = last_tick_ ? now - *last_tick_ : Duration(0);
  last_tick_ = now;
  if (!master || *master != container_) {
    container_ = master.value_or(runtime::ContainerId());
    silence_ = Duration(0);
    was_heard_ = false;
    return false;
  }
  silence_ += std::min<Duration>(passed, 2 * kMasterWatchTick);
  return silence_ >= (was_heard_ ? kMasterSilenceMax : kMasterStartMax);
}

}  // namespace primus::node
