#include "apps/primus/replica_process.h"

#include <sys/prctl.h>

#include <array>
#include <cstdio>
#include <string_view>

namespace primus::apps {
namespace {

struct Wiring {
  std::string_view kind;
  int (*run)(const ReplicaArguments&);
};

constexpr std::array kWirings = {Wiring{"master", &RunMaster}, Wiring{"executor", &RunExecutor},
                                 Wiring{"ps", &RunPs}, Wiring{"trainer", &RunTrainer}};

}  // namespace

int RunReplica(const ReplicaArguments& arguments) {
  const std::string name = "primus-" + ToString(arguments.replica);
  ::prctl(PR_SET_NAME, name.c_str());
  for (const Wiring& wiring : kWirings) {
    if (wiring.kind == arguments.kind) return wiring.run(arguments);
  }
  std::fprintf(stderr, "primus: there is no kind of replica called %s\n", arguments.kind.c_str());
  return 2;
}

}  // namespace primus::apps
