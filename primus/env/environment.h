// What a role's shell gets from its world, real or simulated. All members outlive the shell.
#pragma once

#include "primus/env/event_loop.h"
#include "primus/env/random.h"
#include "primus/env/thread_pool.h"

namespace primus::env {

struct Environment {
  EventLoop& loop;
  ThreadPool& pool;
  Random& random;
};

}  // namespace primus::env
