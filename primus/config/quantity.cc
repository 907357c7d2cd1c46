#include "primus/config/quantity.h"

#include <array>
#include <optional>

namespace primus::config {
namespace {

struct Suffix {
  std::string_view name;
  uint64_t factor;
};

constexpr std::array<Suffix, 13> kByteSuffixes = {{{"", 1},
                                                   {"k", 1'000},
                                                   {"M", 1'000'000},
                                                   {"G", 1'000'000'000},
                                                   {"T", 1'000'000'000'000},
                                                   {"P", 1'000'000'000'000'000},
                                                   {"E", 1'000'000'000'000'000'000},
                                                   {"Ki", uint64_t{1} << 10},
                                                   {"Mi", uint64_t{1} << 20},
                                                   {"Gi", uint64_t{1} << 30},
                                                   {"Ti", uint64_t{1} << 40},
                                                   {"Pi", uint64_t{1} << 50},
                                                   {"Ei", uint64_t{1} << 60}}};

constexpr std::array<Suffix, 3> kCpuSuffixes = {{{"", 1'000}, {"m", 1}, {"k", 1'000'000}}};

// A decimal number: value / scale.
struct Decimal {
  uint64_t value = 0;
  uint64_t scale = 1;
  std::string_view suffix;
};

std::optional<Decimal> ParseDecimal(std::string_view text) {
  Decimal decimal;
  bool digits = false;
  bool point = false;
  std::size_t at = 0;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '.' && !point) {
      point = true;
      continue;
    }
    if (c < '0' || c > '9') break;
    digits = true;
    if (__builtin_mul_overflow(decimal.value, uint64_t{10}, &decimal.value)) return std::nullopt;
    const auto digit = static_cast<uint64_t>(c - '0');
    if (__builtin_add_overflow(decimal.value, digit, &decimal.value)) return std::nullopt;
    if (point && __builtin_mul_overflow(decimal.scale, uint64_t{10}, &decimal.scale)) {
      return std::nullopt;
    }
  }
  decimal.suffix = text.substr(at);
  if (!digits) return std::nullopt;
  return decimal;
}

template <std::size_t N>
std::optional<uint64_t> ParseUnits(std::string_view text, const std::array<Suffix, N>& suffixes) {
  const std::optional<Decimal> decimal = ParseDecimal(text);
  if (!decimal) return std::nullopt;
  for (const Suffix& suffix : suffixes) {
    if (suffix.name != decimal->suffix) continue;
    // Whole and fraction apart, so that 1.5Ei does not overflow on the way.
    const uint64_t whole = decimal->value / decimal->scale;
    const uint64_t rest = decimal->value % decimal->scale;
    uint64_t units = 0;
    uint64_t part = 0;
    if (__builtin_mul_overflow(whole, suffix.factor, &units)) return std::nullopt;
    if (__builtin_mul_overflow(rest, suffix.factor, &part)) return std::nullopt;
    if (part % decimal->scale != 0) return std::nullopt;
    if (__builtin_add_overflow(units, part / decimal->scale, &units)) return std::nullopt;
    return units;
  }
  return std::nullopt;
}

}  // namespace

Result<int64_t> ParseCpuMillis(std::string_view text) {
  constexpr uint64_t kMillisMax = 1'000'000'000'000;
  const std::optional<uint64_t> millis = ParseUnits(text, kCpuSuffixes);
  if (millis && *millis <= kMillisMax) return static_cast<int64_t>(*millis);
  return InvalidArgumentError("expected a number of cores such as 2, 0.5 or 500m");
}

Result<uint64_t> ParseByteSize(std::string_view text) {
  if (const std::optional<uint64_t> bytes = ParseUnits(text, kByteSuffixes)) return *bytes;
  return InvalidArgumentError("expected a size such as 512Mi, 4Gi or 1G");
}

}  // namespace primus::config
