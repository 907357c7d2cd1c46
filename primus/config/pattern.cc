#include "primus/config/pattern.h"

#include <algorithm>

#include "primus/config/duration.h"
#include "primus/config/quantity.h"
#include "primus/config/timestamp.h"

#include "proto/config/rule.pb.h"

namespace primus::config {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLower(char c) { return c >= 'a' && c <= 'z'; }
bool IsLetter(char c) { return IsLower(c) || (c >= 'A' && c <= 'Z'); }

bool IsName(std::string_view text) {
  if (text.empty() || text.size() > 63 || text.front() == '-' || text.back() == '-') return false;
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return IsLower(c) || IsDigit(c) || c == '-'; });
}

bool IsIdentifier(std::string_view text) {
  if (text.empty() || text.size() > 63) return false;
  if (!IsLetter(text.front()) && text.front() != '_') return false;
  return std::all_of(text.begin(), text.end(), [](char c) {
    return IsLetter(c) || IsDigit(c) || c == '_' || c == '.' || c == '-';
  });
}

bool IsEnvName(std::string_view text) {
  return IsIdentifier(text) && text.find_first_of(".-") == std::string_view::npos;
}

bool IsPlainText(std::string_view text) {
  return std::none_of(text.begin(), text.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t' && c != '\r';
  });
}

bool IsLine(std::string_view text) {
  return !text.empty() && text.size() <= 4096 && IsPlainText(text) &&
         text.find_first_of("\n\r\t") == std::string_view::npos;
}

template <class T>
bool Take(Result<T> parsed, double unit, std::optional<double>* size) {
  if (!parsed.ok()) return false;
  *size = static_cast<double>(*parsed) * unit;
  return true;
}

bool TakeDuration(std::string_view text, std::optional<double>* size) {
  const Result<Duration> parsed = ParseDuration(text);
  if (!parsed.ok()) return false;
  *size = ToSeconds(*parsed);
  return true;
}

}  // namespace

std::string ExpectedText(const Rule& asked) {
  switch (asked.pattern()) {
    case NAME:
      return "a name of at most 63 lower case letters, digits and -";
    case IDENTIFIER:
      return "a name of at most 63 letters, digits, _, . and - that begins with a letter or _";
    case DURATION:
      return "a duration such as 30s, 300ms or 1h30m";
    case CPU:
      return "a number of cores such as 2, 0.5 or 500m";
    case BYTE_SIZE:
      return "a size such as 512Mi, 4Gi or 1G";
    case DATE:
      return "a day such as 1997-09-20";
    case TIMESTAMP:
      return "an instant such as 1998-03-07T02:21:09Z";
    case PATH:
      return "a path";
    case COLUMN:
      return "the name of a column";
    case ENV_NAME:
      return "a name of letters, digits and _ that does not begin with a digit";
    default:
      return "a string";
  }
}

bool HasPattern(const Rule& asked, std::string_view text, std::optional<double>* size) {
  switch (asked.pattern()) {
    case NAME:
      return IsName(text);
    case IDENTIFIER:
      return IsIdentifier(text);
    case DURATION:
      return TakeDuration(text, size);
    case CPU:
      return Take(ParseCpuMillis(text), 0.001, size);
    case BYTE_SIZE:
      return Take(ParseByteSize(text), 1, size);
    case DATE:
      return ParseDate(text).ok();
    case TIMESTAMP:
      return ParseTimestamp(text).ok();
    case PATH:
    case COLUMN:
      return IsLine(text);
    case ENV_NAME:
      return IsEnvName(text);
    default:
      return IsPlainText(text);
  }
}

bool AllowsNumber(const Rule& asked) {
  return asked.pattern() == CPU || asked.pattern() == BYTE_SIZE;
}

}  // namespace primus::config
