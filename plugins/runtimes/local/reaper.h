// The process that cleans up after a node that died.
//
// `primus reaper` reads from its standard input, a socket, which process groups live ("+123",
// "-123"). When the socket ends, the node is gone, however it died: the reaper kills all groups
// that are left and everything that carries the node's mark, waits until they are dead, removes
// the node's run directory and exits. Descriptor 3, if open, is the lock of the work directory:
// it stays locked until nothing of the old node can write there any more.
#pragma once

#include <string>

#include "primus/base/time.h"

namespace primus::runtimes {

struct ReaperOptions {
  std::string mark;           // "NAME=value" in the environment of all containers
  std::string run_directory;  // removed at the end; empty: none
};

// The whole life of the process; its exit code.
int RunReaper(const ReaperOptions& options);

}  // namespace primus::runtimes
