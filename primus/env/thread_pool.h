// Where blocking or heavy work runs, off the loop.
//
// `work` runs on some thread of the pool; then `done` runs on the loop that the pool was made
// with. In the simulator both run on the one thread, `done` after a virtual delay. Destroying the
// pool waits for running work and drops the `done` of everything unfinished.
#pragma once

#include <functional>

#include "primus/env/event_loop.h"

namespace primus::env {

class ThreadPool {
 public:
  virtual ~ThreadPool() = default;
  // Loop thread only. With one thread, work runs in the order of the calls.
  virtual void Run(Task work, Task done) = 0;
};

}  // namespace primus::env
