#include "primus/telemetry/logger.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <memory>
#include <mutex>

namespace primus::telemetry {
namespace {

constexpr std::string_view kLevelNames[] = {"DEBUG", "INFO", "WARN", "ERROR"};

// "2026-01-31T12:00:00.123456Z"
std::string ToIso(WallTime time) {
  using std::chrono::floor;
  const Duration since = time.time_since_epoch();
  const auto days = floor<std::chrono::days>(since);
  const std::chrono::year_month_day date{std::chrono::sys_days(days)};
  const std::chrono::hh_mm_ss clock{floor<std::chrono::microseconds>(since - days)};
  std::array<char, 64> text;
  const int size = std::snprintf(
      text.data(), text.size(), "%04d-%02u-%02uT%02d:%02d:%02d.%06dZ",
      static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
      static_cast<unsigned>(date.day()), static_cast<int>(clock.hours().count()),
      static_cast<int>(clock.minutes().count()), static_cast<int>(clock.seconds().count()),
      static_cast<int>(clock.subseconds().count()));
  return {text.data(), static_cast<std::size_t>(size)};
}

bool IsPlain(std::string_view value) {
  if (value.empty()) return false;
  for (const char c : value) {
    if (static_cast<unsigned char>(c) <= ' ' || c == '"' || c == '=' || c == '\\' || c == 0x7f)
      return false;
  }
  return true;
}

void AppendQuoted(std::string_view value, std::string& line) {
  constexpr std::string_view kHex = "0123456789abcdef";
  line += '"';
  for (const char c : value) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      line += '\\';
      line += c;
    } else if (c == '\n') {
      line += "\\n";
    } else if (c == '\t') {
      line += "\\t";
    } else if (byte < ' ' || byte == 0x7f) {
      line += "\\x";
      line += kHex[byte >> 4];
      line += kHex[byte & 15];
    } else {
      line += c;
    }
  }
  line += '"';
}

}  // namespace

Field::Field(std::string_view field_key, double number) : key(field_key) {
  std::array<char, 32> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), number).ptr;
  value.assign(text.data(), end);
}

Logger::Logger(std::string name, const env::Clock& clock, Sink sink, Level lowest)
    : name_(std::move(name)), clock_(clock), sink_(std::move(sink)), lowest_(lowest) {}

void Logger::Debug(std::string_view message, std::initializer_list<Field> fields) const {
  Write(Level::kDebug, message, fields);
}
void Logger::Info(std::string_view message, std::initializer_list<Field> fields) const {
  Write(Level::kInfo, message, fields);
}
void Logger::Warn(std::string_view message, std::initializer_list<Field> fields) const {
  Write(Level::kWarn, message, fields);
}
void Logger::Error(std::string_view message, std::initializer_list<Field> fields) const {
  Write(Level::kError, message, fields);
}

void Logger::Write(Level level, std::string_view message,
                   std::initializer_list<Field> fields) const {
  if (level < lowest_) return;
  std::string line = ToIso(clock_.Get().wall);
  for (const std::string_view part :
       {kLevelNames[static_cast<std::size_t>(level)], std::string_view(name_), message}) {
    line += ' ';
    line += part;
  }
  for (const Field& field : fields) {
    line += ' ';
    line += field.key;
    line += '=';
    if (IsPlain(field.value)) {
      line += field.value;
    } else {
      AppendQuoted(field.value, line);
    }
  }
  sink_(level, line);
}

Sink StandardErrorSink() {
  return [mutex = std::make_shared<std::mutex>()](Level, std::string_view line) {
    std::string whole(line);
    whole += '\n';
    const std::lock_guard lock(*mutex);
    std::string_view rest = whole;
    while (!rest.empty()) {
      const ssize_t written = ::write(STDERR_FILENO, rest.data(), rest.size());
      if (written < 0 && errno == EINTR) continue;
      // Nobody is left to be told that the log itself cannot be written.
      if (written <= 0) return;
      rest.remove_prefix(static_cast<std::size_t>(written));
    }
  };
}

}  // namespace primus::telemetry
