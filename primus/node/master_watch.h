// Whether a job's master is alive: each Observe is a word from it.
//
// Silence is counted in the time that node itself was awake: a node that was stopped for an hour
// has not been listening, and blames nobody. Pure.
#pragma once

#include <optional>

#include "primus/base/time.h"
#include "primus/runtime/runtime.h"

namespace primus::node {

inline constexpr Duration kMasterSilenceMax = Seconds(10);
// Until the first word: a master reads its job and its save point first.
inline constexpr Duration kMasterStartMax = Seconds(60);
inline constexpr Duration kMasterWatchTick = Seconds(1);

class MasterWatch {
 public:
  // A word from the master that runs in this container, which may come before the first tick.
  void Hear(const runtime::ContainerId& master);
  // Every kMasterWatchTick, with the container of the master that runs, if any. True if that one
  // has been silent for too long.
  bool Tick(const std::optional<runtime::ContainerId>& master, Instant now);

 private:
  runtime::ContainerId container_;
  std::optional<Instant> last_tick_;
  Duration silence_{0};
  bool was_heard_ = false;
};

}  // namespace primus::node
