#include "primus/config/timestamp.h"

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <optional>

namespace primus::config {
namespace {

using std::chrono::days;
using std::chrono::sys_days;
using std::chrono::year_month_day;

// Takes exactly `digits` digits of a number up to `max`.
std::optional<int> TakeNumber(std::string_view* text, std::size_t digits, int max) {
  if (text->size() < digits) return std::nullopt;
  int number = 0;
  for (std::size_t i = 0; i < digits; ++i) {
    const char c = (*text)[i];
    if (c < '0' || c > '9') return std::nullopt;
    number = number * 10 + (c - '0');
  }
  text->remove_prefix(digits);
  if (number > max) return std::nullopt;
  return number;
}

bool TakeChar(std::string_view* text, char c) {
  if (!text->starts_with(c)) return false;
  text->remove_prefix(1);
  return true;
}

std::optional<Duration> TakeDate(std::string_view* text) {
  const auto year = TakeNumber(text, 4, 2200);
  if (!year || *year < 1970 || !TakeChar(text, '-')) return std::nullopt;
  const auto month = TakeNumber(text, 2, 12);
  if (!month || !TakeChar(text, '-')) return std::nullopt;
  const auto day = TakeNumber(text, 2, 31);
  if (!day) return std::nullopt;
  const year_month_day date{std::chrono::year(*year),
                            std::chrono::month(static_cast<unsigned>(*month)),
                            std::chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok()) return std::nullopt;
  return sys_days(date).time_since_epoch();
}

std::optional<Duration> TakeFraction(std::string_view* text) {
  if (!TakeChar(text, '.')) return Duration(0);
  int64_t scale = 1'000'000'000;
  int64_t nanos = 0;
  std::size_t digits = 0;
  while (digits < text->size() && (*text)[digits] >= '0' && (*text)[digits] <= '9') {
    scale /= 10;
    nanos += ((*text)[digits] - '0') * scale;
    ++digits;
  }
  if (digits == 0 || digits > 9) return std::nullopt;
  text->remove_prefix(digits);
  return Duration(nanos);
}

std::optional<Duration> TakeTimeOfDay(std::string_view* text) {
  const auto hour = TakeNumber(text, 2, 23);
  if (!hour || !TakeChar(text, ':')) return std::nullopt;
  const auto minute = TakeNumber(text, 2, 59);
  if (!minute || !TakeChar(text, ':')) return std::nullopt;
  const auto second = TakeNumber(text, 2, 59);
  if (!second) return std::nullopt;
  const auto fraction = TakeFraction(text);
  if (!fraction) return std::nullopt;
  return Seconds(*hour * 3600 + *minute * 60 + *second) + *fraction;
}

// How far local time is ahead of UTC.
std::optional<Duration> TakeZone(std::string_view* text) {
  if (TakeChar(text, 'Z')) return Duration(0);
  const bool ahead = text->starts_with('+');
  if (!ahead && !text->starts_with('-')) return std::nullopt;
  text->remove_prefix(1);
  const auto hours = TakeNumber(text, 2, 23);
  if (!hours || !TakeChar(text, ':')) return std::nullopt;
  const auto minutes = TakeNumber(text, 2, 59);
  if (!minutes) return std::nullopt;
  const Duration offset = Seconds(*hours * 3600 + *minutes * 60);
  return ahead ? offset : -offset;
}

std::optional<WallTime> ReadTimestamp(std::string_view text) {
  const auto date = TakeDate(&text);
  if (!date || !TakeChar(&text, 'T')) return std::nullopt;
  const auto time = TakeTimeOfDay(&text);
  if (!time) return std::nullopt;
  const auto ahead = TakeZone(&text);
  if (!ahead || !text.empty()) return std::nullopt;
  return WallTime(*date + *time - *ahead);
}

}  // namespace

Result<WallTime> ParseDate(std::string_view text) {
  const auto date = TakeDate(&text);
  if (date && text.empty()) return WallTime(*date);
  return InvalidArgumentError("expected a day such as 1997-09-20");
}

Result<WallTime> ParseTimestamp(std::string_view text) {
  if (const auto time = ReadTimestamp(text)) return *time;
  return InvalidArgumentError("expected an instant such as 1998-03-07T02:21:09Z");
}

std::string FormatDate(WallTime time) {
  const year_month_day date(sys_days(std::chrono::floor<days>(time.time_since_epoch())));
  char text[32];
  std::snprintf(text, sizeof text, "%04d-%02u-%02u", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
  return text;
}

}  // namespace primus::config
