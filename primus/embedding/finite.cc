#include "primus/embedding/finite.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace primus::embedding {

bool AllFinite(std::span<const float> values) {
  // Integers, because their reduction can be vectorised: an exponent of all ones is not finite.
  constexpr uint32_t kExponent = 0x7F800000;
  uint32_t found = 0;
  for (const float value : values) {
    found |= (std::bit_cast<uint32_t>(value) & kExponent) == kExponent ? 1U : 0U;
  }
  return found == 0;
}

std::size_t FindNonFinite(std::span<const float> values) {
  if (AllFinite(values)) return values.size();
  const auto bad =
      std::find_if(values.begin(), values.end(), [](float value) { return !std::isfinite(value); });
  return static_cast<std::size_t>(bad - values.begin());
}

}  // namespace primus::embedding
