#include "primus/data/window.h"

#include <charconv>

namespace primus::data {
namespace {

bool ReadNumber(std::string_view text, int& number) {
  const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
  return result.ec == std::errc() && result.ptr == text.data() + text.size();
}

}  // namespace

Result<WindowBounds> DayBounds(std::string_view name) {
  const Status malformed =
      InvalidArgumentError("expected a day like 1997-09-20, got '" + std::string(name) + "'");
  if (name.size() != 10 || name[4] != '-' || name[7] != '-') return malformed;
  int year = 0;
  int month = 0;
  int day = 0;
  const bool numbers = ReadNumber(name.substr(0, 4), year) &&
                       ReadNumber(name.substr(5, 2), month) && ReadNumber(name.substr(8), day);
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!numbers || !date.ok()) return malformed;
  const auto days = std::chrono::sys_days(date).time_since_epoch();
  return WindowBounds{WallTime(days), WallTime(days + std::chrono::days(1))};
}

}  // namespace primus::data
