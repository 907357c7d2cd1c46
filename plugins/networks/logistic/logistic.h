// Logistic regression: a bias and the first-order weights of all features.
#pragma once

#include <memory>
#include <string_view>

#include "primus/train/network.h"

namespace primus::networks {

Result<std::unique_ptr<train::Network>> MakeLogistic(std::string_view options);

// The line for apps/primus/plugins.cc: `logistic`.
void AddLogistic(train::NetworkSlot& slot);

}  // namespace primus::networks
