#include "primus/train/finite.h"

#include <bit>
#include <cstdint>

namespace primus::train {

bool AllFinite(std::span<const float> values) {
  // Integers, because their reduction can be vectorised: an exponent of all ones is not finite.
  constexpr uint32_t kExponent = 0x7F800000;
  uint32_t found = 0;
  for (const float value : values) {
    found |= (std::bit_cast<uint32_t>(value) & kExponent) == kExponent ? 1U : 0U;
  }
  return found == 0;
}

}  // namespace primus::train
