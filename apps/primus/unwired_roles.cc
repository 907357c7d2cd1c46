// Stands in for wiring that is not merged yet; goes with run_*.cc and savepoint_commands.cc.
#include <cstdio>

#include "apps/primus/replica.h"
#include "apps/primus/savepoint_commands.h"

namespace primus::apps {
namespace {
int Refuse() {
  std::fprintf(stderr, "primus: this build has no training roles\n");
  return 1;
}
}  // namespace

int RunMaster(const ReplicaArguments&) { return Refuse(); }
int RunExecutor(const ReplicaArguments&) { return Refuse(); }
int RunPs(const ReplicaArguments&) { return Refuse(); }
int RunTrainer(const ReplicaArguments&) { return Refuse(); }
int ListSavePoints(const SavePointOptions&) { return Refuse(); }
int InspectSavePoint(const SavePointOptions&) { return Refuse(); }
int DumpSavePoint(const SavePointOptions&) { return Refuse(); }

}  // namespace primus::apps
