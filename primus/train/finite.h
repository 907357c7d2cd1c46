// Finds NaN and infinity.
#pragma once

#include <span>

namespace primus::train {

bool AllFinite(std::span<const float> values);

}  // namespace primus::train
