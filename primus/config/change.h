// What of a job may change while it lives: replicas and restart rules, not its data or model.
#pragma once

#include "primus/config/walker.h"

namespace primus::config {

// Adds a problem to `after_reading` for each field that differs between the two messages (of one
// kind) though its rule calls it immutable, and for each item that came or went of a named list
// whose items have such fields.
void RefuseChanges(const google::protobuf::Message& before, const google::protobuf::Message& after,
                   Reading* after_reading);

}  // namespace primus::config
