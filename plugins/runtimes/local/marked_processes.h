// Processes found by what stands in their environment.
//
// A program may leave its group (setsid), but not its environment: everything that a container
// started carries the container's marks, however many forks away. Any thread.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "primus/base/time.h"

namespace primus::runtimes {

// Pids of our processes that were started with all of `entries` ("NAME=value"), zombies and the
// calling process excluded.
std::vector<pid_t> FindMarked(const std::vector<std::string>& entries);

// SIGKILLs what FindMarked finds, and what that starts meanwhile, until nothing is left. Waits for
// each death; gives up after `limit` (a process stuck in the kernel). True if nothing is left.
bool KillMarked(const std::vector<std::string>& entries, Duration limit);

}  // namespace primus::runtimes
