// Finds NaN and infinity: the guard before every table and around every step.
#pragma once

#include <cstddef>
#include <span>

namespace primus::embedding {

bool AllFinite(std::span<const float> values);
// Ordinal of the first value that is NaN or infinite; values.size() if there is none.
std::size_t FindNonFinite(std::span<const float> values);

}  // namespace primus::embedding
