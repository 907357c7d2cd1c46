#include "primus/config/nearest_name.h"

#include <algorithm>
#include <cstddef>

namespace primus::config {
namespace {

constexpr std::size_t kNameBytesMax = 64;
constexpr std::size_t kListedMax = 12;

std::string LowerCase(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

// Optimal string alignment distance, three rows at a time.
std::size_t Edits(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(above);
    above.swap(row);
  }
  return above[b.size()];
}

}  // namespace

std::string NearestName(std::string_view name, const std::vector<std::string>& candidates) {
  if (name.empty() || name.size() > kNameBytesMax) return "";
  const std::string lower = LowerCase(name);
  std::string nearest;
  std::size_t fewest = std::max<std::size_t>(1, name.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > kNameBytesMax) continue;
    const std::size_t edits = Edits(lower, LowerCase(candidate));
    // All letters of a short name replaced is another name.
    if (edits >= fewest || edits >= candidate.size()) continue;
    fewest = edits;
    nearest = candidate;
  }
  return nearest;
}

std::string Hint(std::string_view name, const std::vector<std::string>& candidates) {
  const std::string nearest = NearestName(name, candidates);
  return nearest.empty() ? "" : "; did you mean " + nearest + "?";
}

std::string OneOf(const std::vector<std::string>& names) {
  std::string text;
  const std::size_t shown = std::min(names.size(), kListedMax);
  for (std::size_t i = 0; i < shown; ++i) {
    if (i > 0) text += i + 1 == names.size() ? " or " : ", ";
    text += names[i];
  }
  if (shown < names.size()) text += ", …";
  return text;
}

}  // namespace primus::config
