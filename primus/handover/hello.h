// The check of a writer's Hello against one's own.
#pragma once

#include "primus/base/status.h"
#include "primus/handover/handover.h"

namespace primus::handover {

// kInvalidArgument, naming both, when protocol, build or schema differ. Incarnations and flow
// are the caller's to check: only it knows its view.
Status CheckHello(const Hello& here, const Hello& there);

}  // namespace primus::handover
