#include "primus/batch/coverage.h"

#include <algorithm>

#include "primus/base/check.h"

namespace primus::batch {

std::string_view RowKindName(RowKind kind) {
  constexpr std::array<std::string_view, kRowKinds> kNames = {
      "trained", "evaluated", "filtered", "unmatched", "late", "corrupt", "refused", "excluded"};
  const auto index = static_cast<std::size_t>(kind);
  PRIMUS_CHECK(index < kRowKinds, "a row kind of the enum");
  return kNames[index];
}

void Compact(std::vector<Span>& spans) {
  std::sort(spans.begin(), spans.end());
  std::size_t kept = 0;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    Span& last = spans[kept];
    const bool joins = i > 0 && last.task == spans[i].task && last.kind == spans[i].kind &&
                       last.end == spans[i].begin;
    if (joins) {
      last.end = spans[i].end;
    } else {
      kept += i > 0 ? 1 : 0;
      spans[kept] = spans[i];
    }
  }
  spans.resize(spans.empty() ? 0 : kept + 1);
}

}  // namespace primus::batch
