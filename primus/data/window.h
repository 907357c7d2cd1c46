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

// Of a day as config/timestamp.h reads it: "1997-09-20", in UTC.
Result<WindowBounds> DayBounds(std::string_view name);

}  // namespace primus::data
