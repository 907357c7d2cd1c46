// The windows of a range: civil days of UTC, named "1997-09-20".
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "primus/base/result.h"

namespace primus::config {
class Range;
}  // namespace primus::config

namespace primus::data {

// Both ends included. kInvalidArgument when an end is no date or they are in the wrong order.
Result<std::vector<std::chrono::sys_days>> DaysOf(const config::Range& range);

std::string WindowName(std::chrono::sys_days day);
Result<std::chrono::sys_days> ParseWindowName(std::string_view name);

}  // namespace primus::data
