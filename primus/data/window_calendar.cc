#include "primus/data/window_calendar.h"

#include "primus/config/timestamp.h"
#include "primus/data/window.h"

#include "proto/config/job.pb.h"

namespace primus::data {

Result<std::vector<std::chrono::sys_days>> DaysOf(const config::Range& range) {
  PRIMUS_ASSIGN(const std::chrono::sys_days first, ParseWindowName(range.from()));
  PRIMUS_ASSIGN(const std::chrono::sys_days last, ParseWindowName(range.to()));
  if (last < first) {
    return InvalidArgumentError("the range ends on " + range.to() + ", before it begins on " +
                                range.from());
  }
  std::vector<std::chrono::sys_days> days;
  for (auto day = first; day <= last; day += std::chrono::days(1)) days.push_back(day);
  return days;
}

std::string WindowName(std::chrono::sys_days day) {
  return config::FormatDate(WallTime(day.time_since_epoch()));
}

Result<std::chrono::sys_days> ParseWindowName(std::string_view name) {
  PRIMUS_ASSIGN(const WindowBounds bounds, DayBounds(name));
  return std::chrono::sys_days(
      std::chrono::duration_cast<std::chrono::days>(bounds.begin.time_since_epoch()));
}

}  // namespace primus::data
