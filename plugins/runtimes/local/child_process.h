// Starts one process the way a container needs it.
//
// The process leads a group of its own, has default signals, no descriptor of ours but those
// named here, and dies with the thread that started it. Before it runs its program it announces
// itself to the reaper (reaper.h), so that nothing it starts can be left behind.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "primus/base/result.h"

namespace primus::runtimes {

enum class Lifetime { kDiesWithParent, kOutlivesParent };

struct ChildOptions {
  std::vector<std::string> command{};      // found on PATH
  std::vector<std::string> environment{};  // "NAME=value", the whole of it
  std::string working_directory{};         // empty: the parent's
  int standard_input = -1;                 // -1: /dev/null
  int standard_output = -1;                // -1: the parent's
  int standard_error = -1;
  int third = -1;   // becomes descriptor 3, if any
  int reaper = -1;  // socket to announce the process on, if any
  Lifetime lifetime = Lifetime::kDiesWithParent;
};

// The pid, once the program runs. An error names the step and means that nothing runs.
Result<pid_t> StartChild(const ChildOptions& options);

// How a process ended.
struct Exit {
  int code = 0;          // 128 + signal when a signal ended it
  std::string reason{};  // "exited with code 2", "killed by signal 9 (SIGKILL)"
};
// From waitpid's status.
Exit DescribeExit(int wait_status);

}  // namespace primus::runtimes
