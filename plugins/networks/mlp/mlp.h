// A multi-layer perceptron over the vectors of all features and their dense values.
#pragma once

#include <memory>
#include <string_view>

#include "primus/train/network.h"

namespace primus::networks {

Result<std::unique_ptr<train::Network>> MakeMlp(std::string_view options);

// The line for apps/primus/plugins.cc: `mlp`.
void AddMlp(train::NetworkSlot& slot);

}  // namespace primus::networks
