#include "primus/batch/encoded_rows.h"

#include <xxhash.h>

#include <cstddef>

namespace primus::batch {

uint64_t Hash(const Layout& layout) {
  std::string text;
  for (const FeatureLayout& feature : layout.features) {
    // The length in front keeps {"ab","c"} and {"a","bc"} apart.
    const auto length = static_cast<uint32_t>(feature.name.size());
    for (int shift = 0; shift < 32; shift += 8) {
      text.push_back(static_cast<char>((length >> shift) & 0xFF));
    }
    text += feature.name;
    text.push_back(static_cast<char>(feature.kind));
  }
  return XXH3_64bits(text.data(), text.size());
}

}  // namespace primus::batch
