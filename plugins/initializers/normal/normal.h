// New vectors from a normal distribution around 0, of standard deviation 0.01 if not said.
#pragma once

#include <string_view>

#include "primus/train/initializer.h"

namespace primus::initializers {

Result<double> NormalStd(std::string_view options);

// The line for apps/primus/plugins.cc: `normal`.
void AddNormal(train::InitializerSlot& slot);

}  // namespace primus::initializers
