// Days and instants as users write them: `1997-09-20` and `1998-03-07T02:21:09Z`.
#pragma once

#include <string>
#include <string_view>

#include "primus/base/result.h"
#include "primus/base/time.h"

namespace primus::config {

// The day's first instant in UTC. Years 1970 to 2200; kInvalidArgument says what was expected.
Result<WallTime> ParseDate(std::string_view text);
// RFC 3339: seconds may have a fraction; the zone is Z or an offset such as +01:00.
Result<WallTime> ParseTimestamp(std::string_view text);

// "1997-09-20": the UTC day of an instant.
std::string FormatDate(WallTime time);

}  // namespace primus::config
