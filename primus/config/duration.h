// Durations as users write them: `30s`, `300ms`, `1h30m`, `1.5s`. Units: h, m, s, ms, us, ns.
#pragma once

#include <string>
#include <string_view>

#include "primus/base/result.h"
#include "primus/base/time.h"

namespace primus::config {

// kInvalidArgument says what was expected. Never negative; at most 292 years.
Result<Duration> ParseDuration(std::string_view text);

// The shortest text that reads back as the same: "1h30m", "300ms", "0s".
std::string FormatDuration(Duration duration);

}  // namespace primus::config
