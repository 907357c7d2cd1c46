// The first vector of a new key: the seam of plugins/initializers.
//
// A vector is drawn from a normal distribution, by (seed, table, key) alone; where that happens is
// the table's business, so a plug-in only says how wide the distribution is.
#pragma once

#include <functional>
#include <string_view>

#include "primus/base/result.h"
#include "primus/config/slot.h"

namespace primus::train {

// The standard deviation, 0 for zeros; from the plug-in's own message, serialised.
using Initializer = std::function<Result<double>(std::string_view options)>;
using InitializerSlot = config::Slot<Initializer>;  // "initializers"

}  // namespace primus::train
