// DeepFM (Guo et al. 2017): linear terms, factorisation machine and a tower over the same vectors.
#pragma once

#include <memory>
#include <string_view>

#include "primus/train/network.h"

namespace primus::networks {

Result<std::unique_ptr<train::Network>> MakeDeepFm(std::string_view options);

// The line for apps/primus/plugins.cc: `deepFm`.
void AddDeepFm(train::NetworkSlot& slot);

}  // namespace primus::networks
