// Durations as users write them: `30s`, `300ms`, `1h30m`, `1.5s`. Units: h, m, s, ms, us, ns.
#pragma once

#include <string_view>

#include "primus/base/result.h"
#include "primus/base/time.h"

namespace primus::config {

// kInvalidArgument says what was expected. Never negative; at most 292 years.
Result<Duration> ParseDuration(std::string_view text);

}  // namespace primus::config
