// A few calls to a node that runs in another process, each waited for.
#pragma once

#include <string>

#include "primus/base/result.h"

namespace primus::apps {

enum class StopKind;

// Writes the wish to stop into the job's object.
Status AskToStop(const std::string& address, const std::string& job, StopKind kind);

// Returns when the job does not run any more, or its node is gone.
Status AwaitStopped(const std::string& address, const std::string& job);

}  // namespace primus::apps
