#include "primus/data/join_index.h"

#include <arrow/array.h>

#include <cstring>
#include <limits>
#include <numeric>
#include <utility>

#include "primus/data/discrete_values.h"

namespace primus::data {
namespace {

class KeyValues {
 public:
  static Result<KeyValues> Read(const KeyArrays& arrays, std::span<const int64_t> rows) {
    KeyValues keys;
    for (const auto& array : arrays) {
      PRIMUS_ASSIGN(DiscreteValues values, ReadDiscrete(*array, rows));
      keys.columns_.push_back(std::move(values));
    }
    return keys;
  }

  bool IsOneNumber() const { return columns_.size() == 1 && !columns_.front().is_text; }
  int64_t Number(std::size_t i) const { return columns_.front().numbers[i]; }

  bool IsNull(std::size_t i) const {
    for (const DiscreteValues& column : columns_) {
      if (column.valid[i] == 0) return true;
    }
    return false;
  }

  // Unambiguous: text has its length in front.
  void Bytes(std::size_t i, std::string& bytes) const {
    bytes.clear();
    for (const DiscreteValues& column : columns_) {
      const int64_t number =
          column.is_text ? static_cast<int64_t>(column.texts[i].size()) : column.numbers[i];
      const std::size_t end = bytes.size();
      bytes.resize(end + sizeof(number));
      std::memcpy(bytes.data() + end, &number, sizeof(number));
      if (column.is_text) bytes += column.texts[i];
    }
  }

  std::string Text(std::size_t i) const {
    std::string text;
    for (const DiscreteValues& column : columns_) {
      if (!text.empty()) text += ", ";
      text += column.is_text ? "\"" + std::string(column.texts[i]) + "\""
                             : std::to_string(column.numbers[i]);
    }
    return text;
  }

 private:
  std::vector<DiscreteValues> columns_;
};

Status DuplicateError(const KeyValues& keys, const RowOrigin& origin, int32_t first,
                      std::size_t second) {
  return InvalidArgumentError("key " + keys.Text(second) + " stands twice: " + origin.At(first) +
                              " and " + origin.At(static_cast<int64_t>(second)) +
                              "; a dimension has one row a key");
}

}  // namespace

Result<JoinIndex> JoinIndex::Build(const KeyArrays& keys, const RowOrigin& origin) {
  const int64_t length = keys.front()->length();
  if (length > std::numeric_limits<int32_t>::max()) {
    return ResourceExhaustedError("a dimension has more than 2^31 rows");
  }
  std::vector<int64_t> rows(static_cast<std::size_t>(length));
  std::iota(rows.begin(), rows.end(), 0);
  PRIMUS_ASSIGN(const KeyValues values, KeyValues::Read(keys, rows));
  JoinIndex index;
  std::string bytes;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (values.IsNull(i)) continue;
    const auto row = static_cast<int32_t>(i);
    if (values.IsOneNumber()) {
      const auto [at, added] = index.by_number_.emplace(values.Number(i), row);
      if (!added) return DuplicateError(values, origin, at->second, i);
    } else {
      values.Bytes(i, bytes);
      const auto [at, added] = index.by_bytes_.emplace(bytes, row);
      if (!added) return DuplicateError(values, origin, at->second, i);
    }
  }
  return index;
}

Status JoinIndex::Find(const KeyArrays& keys, std::span<const int64_t> rows,
                       std::vector<int32_t>& matches) const {
  PRIMUS_ASSIGN(const KeyValues values, KeyValues::Read(keys, rows));
  matches.reserve(matches.size() + rows.size());
  std::string bytes;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    int32_t match = kNoMatch;
    if (values.IsNull(i)) {
      // null is unknown: it equals nothing
    } else if (values.IsOneNumber()) {
      const auto found = by_number_.find(values.Number(i));
      if (found != by_number_.end()) match = found->second;
    } else {
      values.Bytes(i, bytes);
      const auto found = by_bytes_.find(bytes);
      if (found != by_bytes_.end()) match = found->second;
    }
    matches.push_back(match);
  }
  return OkStatus();
}

}  // namespace primus::data
