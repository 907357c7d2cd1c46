// A network that learns how often each key was trained on: the proof that every row counts once.
//
// One table of dim 1, from zero, without first-order weights, label or dense parameters. The
// gradient of a key is minus the number of times that the batch has it.
#pragma once

#include <memory>
#include <string_view>

#include "primus/train/network.h"

namespace primus::networks {

Result<std::unique_ptr<train::Network>> MakeCounter(std::string_view options);

// The line for apps/primus/plugins.cc: `counter`.
void AddCounter(train::NetworkSlot& slot);

}  // namespace primus::networks
