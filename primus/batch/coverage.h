// What became of rows: spans of positions of a task, by kind.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <string_view>
#include <vector>

#include "primus/base/ids.h"

namespace primus::batch {

// The terms of the balance (docs/protocol.md): a row of the base source gets exactly one.
enum class RowKind : uint8_t {
  kTrained = 0,
  kEvaluated = 1,
  kFiltered = 2,
  kUnmatched = 3,
  kLate = 4,
  kCorrupt = 5,
  kRefused = 6,
  kExcluded = 7,  // outside the phase's time range: not read
};
inline constexpr std::size_t kRowKinds = 8;
// "trained", "evaluated", …
std::string_view RowKindName(RowKind kind);

struct Span {
  TaskId task = 0;
  RowKind kind = RowKind::kTrained;
  uint64_t begin = 0;
  uint64_t end = 0;
  auto operator<=>(const Span&) const = default;
};

// Sorts and merges adjacent spans of the same task and kind.
void Compact(std::vector<Span>& spans);

}  // namespace primus::batch
