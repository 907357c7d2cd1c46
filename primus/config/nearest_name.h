// "did you mean …?": the right name nearest to a wrong one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace primus::config {

// The candidate with the fewest edits (insert, delete, replace, swap of neighbours; case does not
// count), or "" if none is near: at most a third of the letters may differ, one in short names.
std::string NearestName(std::string_view name, const std::vector<std::string>& candidates);

// "; did you mean streams?", or "".
std::string Hint(std::string_view name, const std::vector<std::string>& candidates);

// "a, b or c", at most 12 of them.
std::string OneOf(const std::vector<std::string>& names);

}  // namespace primus::config
