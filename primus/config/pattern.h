// What the text of a string field may be (Pattern of rule.proto).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace primus::config {

class Rule;

// "a duration such as 30s, 300ms or 1h30m"; what the rule's pattern asks for, without its bounds.
std::string ExpectedText(const Rule& asked);

// Whether the text has the pattern. `*size`, for patterns that have one (seconds, cores, bytes),
// is what the bounds of the rule are about.
bool HasPattern(const Rule& asked, std::string_view text, std::optional<double>* size);

// Whether an unquoted number is such a text too (`cpu: 2`).
bool AllowsNumber(const Rule& asked);

}  // namespace primus::config
