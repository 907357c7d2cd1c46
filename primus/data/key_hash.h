// The keys of embedding tables: XXH3-64 over (u32 length of the table's name, the name, the
// value's bytes), little endian. Published: the test vectors in key_hash_test.cc never change.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace primus::data {

class TableKeys {
 public:
  explicit TableKeys(std::string_view table);

  // Integers of any width, dates and times as 8 bytes; an unsigned one by its bits, a bool as 0
  // or 1.
  uint64_t OfInteger(int64_t value) const;
  // Strings by their UTF-8 bytes.
  uint64_t OfText(std::string_view value) const;

 private:
  uint64_t Hash(const void* value, std::size_t size) const;

  std::string prefix_;  // length and name
};

}  // namespace primus::data
