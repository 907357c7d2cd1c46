// A factorisation machine of second order (Rendle 2010) over all features.
#pragma once

#include <memory>
#include <string_view>

#include "primus/train/network.h"

namespace primus::networks {

Result<std::unique_ptr<train::Network>> MakeFactorizationMachine(std::string_view options);

// The line for apps/primus/plugins.cc: `factorizationMachine`.
void AddFactorizationMachine(train::NetworkSlot& slot);

}  // namespace primus::networks
