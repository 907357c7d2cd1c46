// Matrix factorisation: the dot product of two features, with their first-order weights and a bias.
#pragma once

#include <memory>
#include <string_view>

#include "primus/train/network.h"

namespace primus::networks {

Result<std::unique_ptr<train::Network>> MakeMatrixFactorization(std::string_view options);

// The line for apps/primus/plugins.cc: `matrixFactorization`.
void AddMatrixFactorization(train::NetworkSlot& slot);

}  // namespace primus::networks
