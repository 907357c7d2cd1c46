// Windows of event time by name.
#pragma once

#include <string>
#include <string_view>

#include "primus/base/result.h"
#include "primus/base/time.h"

namespace primus::data {

struct WindowBounds {
  WallTime begin;
  WallTime end;  // exclusive
};

// Of a day in UTC, "1997-09-20" (proleptic Gregorian calendar). kInvalidArgument for anything else.
Result<WindowBounds> DayBounds(std::string_view name);

}  // namespace primus::data
