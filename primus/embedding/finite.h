// The guard before every table: values that are NaN or infinite never reach a row.
#pragma once

#include <cstddef>
#include <span>

namespace primus::embedding {

// Ordinal of the first value that is NaN or infinite; values.size() if there is none.
std::size_t FindNonFinite(std::span<const float> values);

}  // namespace primus::embedding
