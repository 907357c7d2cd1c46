#include "primus/data/key_hash.h"

#include <xxhash.h>

#include <array>
#include <bit>
#include <cstring>

namespace primus::data {

static_assert(std::endian::native == std::endian::little, "keys are hashed as little endian");

TableKeys::TableKeys(std::string_view table) {
  const auto length = static_cast<uint32_t>(table.size());
  prefix_.resize(sizeof(length));
  std::memcpy(prefix_.data(), &length, sizeof(length));
  prefix_ += table;
}

uint64_t TableKeys::OfInteger(int64_t value) const { return Hash(&value, sizeof(value)); }

uint64_t TableKeys::OfText(std::string_view value) const {
  return Hash(value.data(), value.size());
}

uint64_t TableKeys::Hash(const void* value, std::size_t size) const {
  std::array<char, 256> local;
  std::string large;
  char* bytes = local.data();
  if (prefix_.size() + size > local.size()) {
    large.resize(prefix_.size() + size);
    bytes = large.data();
  }
  std::memcpy(bytes, prefix_.data(), prefix_.size());
  if (size > 0) std::memcpy(bytes + prefix_.size(), value, size);
  return XXH3_64bits(bytes, prefix_.size() + size);
}

}  // namespace primus::data
