// A replica's process: finds the role's wiring and names the process after the replica.
#pragma once

#include "apps/primus/replica.h"

namespace primus::apps {

int RunReplica(const ReplicaArguments& arguments);

}  // namespace primus::apps
