#include "primus/config/duration.h"

#include <array>
#include <cstdint>
#include <limits>
#include <optional>

namespace primus::config {
namespace {

struct Unit {
  std::string_view name;
  int64_t nanos;
};

constexpr std::array<Unit, 6> kUnits = {{{"h", 3'600'000'000'000},
                                         {"m", 60'000'000'000},
                                         {"s", 1'000'000'000},
                                         {"ms", 1'000'000},
                                         {"us", 1'000},
                                         {"ns", 1}}};

std::string_view TakeWhile(std::string_view* text, bool (*keep)(char)) {
  std::size_t end = 0;
  while (end < text->size() && keep((*text)[end])) ++end;
  const std::string_view taken = text->substr(0, end);
  text->remove_prefix(end);
  return taken;
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLetter(char c) { return c >= 'a' && c <= 'z'; }

std::optional<int64_t> UnitNanos(std::string_view name) {
  for (const Unit& unit : kUnits) {
    if (unit.name == name) return unit.nanos;
  }
  return std::nullopt;
}

// sum += digits · nanos + 0.fraction · nanos; false when that overflows.
bool Accumulate(std::string_view digits, std::string_view fraction, int64_t nanos, int64_t* sum) {
  int64_t whole = 0;
  for (const char c : digits) {
    if (__builtin_mul_overflow(whole, 10, &whole)) return false;
    if (__builtin_add_overflow(whole, c - '0', &whole)) return false;
  }
  if (__builtin_mul_overflow(whole, nanos, &whole)) return false;
  int64_t scale = nanos;
  for (const char c : fraction) {
    scale /= 10;
    whole += (c - '0') * scale;
  }
  return !__builtin_add_overflow(*sum, whole, sum);
}

}  // namespace

Result<Duration> ParseDuration(std::string_view text) {
  const Status refused = InvalidArgumentError("expected a duration such as 30s, 300ms or 1h30m");
  if (text.empty() || text.size() > 64) return refused;
  int64_t sum = 0;
  int64_t unit_before = std::numeric_limits<int64_t>::max();
  while (!text.empty()) {
    const std::string_view digits = TakeWhile(&text, IsDigit);
    std::string_view fraction;
    if (text.starts_with('.')) {
      text.remove_prefix(1);
      fraction = TakeWhile(&text, IsDigit);
      if (fraction.empty()) return refused;
    }
    const std::optional<int64_t> nanos = UnitNanos(TakeWhile(&text, IsLetter));
    if (digits.empty() || !nanos || *nanos >= unit_before) return refused;
    unit_before = *nanos;
    if (!Accumulate(digits, fraction, *nanos, &sum)) return refused;
  }
  return Duration(sum);
}

}  // namespace primus::config
