// The main of this folder's tests: the same executable is the reaper, and a node that can be
// killed.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <string_view>

#include "plugins/runtimes/local/local_world.h"
#include "plugins/runtimes/local/reaper.h"

namespace primus::runtimes {
namespace {

// Launches `script`, says what its mark is, and stays until it is killed.
int RunNode(const char* script) {
  LocalWorld world;
  const Status launched = world.Launch("job/a-0/1", LocalWorld::Shell(script));
  std::printf("%s\n", launched.ok() ? world.directory().c_str() : launched.ToString().c_str());
  std::fflush(stdout);
  world.RunUntil([] { return false; });
  return 0;
}

}  // namespace
}  // namespace primus::runtimes

int main(int argc, char** argv) {
  const std::string_view first = argc > 1 ? argv[1] : "";
  if (first == "reaper") {
    return primus::runtimes::RunReaper({.mark = argv[3], .run_directory = argv[5]});
  }
  if (first == "node") return primus::runtimes::RunNode(argv[2]);
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
