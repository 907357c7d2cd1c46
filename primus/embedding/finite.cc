#include "primus/embedding/finite.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace primus::embedding {
namespace {

// All bits of the exponent set: NaN or infinite. Written so that it becomes vector code.
bool AnyNonFinite(const float* values, std::size_t count) {
  constexpr uint32_t kExponent = 0x7F800000;
  uint32_t found = 0;
  for (std::size_t i = 0; i < count; ++i) {
    uint32_t bits = 0;
    std::memcpy(&bits, values + i, sizeof(bits));
    found |= (bits & kExponent) == kExponent ? 1U : 0U;
  }
  return found != 0;
}

}  // namespace

std::size_t FindNonFinite(std::span<const float> values) {
  if (!AnyNonFinite(values.data(), values.size())) return values.size();
  const auto bad =
      std::find_if(values.begin(), values.end(), [](float value) { return !std::isfinite(value); });
  return static_cast<std::size_t>(bad - values.begin());
}

}  // namespace primus::embedding
