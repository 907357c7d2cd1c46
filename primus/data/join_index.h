// Finds the row of a dimension by its join key. Immutable once built, any thread.
//
// A null in any part of a key matches nothing.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "primus/base/result.h"
#include "primus/data/row_origin.h"

namespace arrow {
class Array;
}  // namespace arrow

namespace primus::data {

// The key columns of a batch, of discrete types.
using KeyArrays = std::vector<std::shared_ptr<arrow::Array>>;

class JoinIndex {
 public:
  static constexpr int32_t kNoMatch = -1;

  // kInvalidArgument, naming the key and both rows, when two rows have the same key.
  static Result<JoinIndex> Build(const KeyArrays& keys, const RowOrigin& origin);

  // Appends, for each of `rows` of the other side, the row here that it matches, or kNoMatch.
  // The columns must compare with those it was built from (ComparisonClass).
  Status Find(const KeyArrays& keys, std::span<const int64_t> rows,
              std::vector<int32_t>& matches) const;

 private:
  std::unordered_map<int64_t, int32_t> by_number_;     // one column of numbers
  std::unordered_map<std::string, int32_t> by_bytes_;  // anything else
};

}  // namespace primus::data
