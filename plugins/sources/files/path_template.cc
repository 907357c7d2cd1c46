#include "plugins/sources/files/path_template.h"

#include <array>
#include <cstdio>

namespace primus::sources {
namespace {

std::string Padded(int value, int width) {
  std::array<char, 16> text{};
  const int length = std::snprintf(text.data(), text.size(), "%0*d", width, value);
  return {text.data(), static_cast<std::size_t>(length)};
}

}  // namespace

Result<PathTemplate> PathTemplate::Parse(std::string_view text) {
  PathTemplate parsed;
  parsed.text_ = text;
  while (!text.empty()) {
    const std::size_t open = text.find("{{");
    if (open != 0) parsed.pieces_.emplace_back(std::string(text.substr(0, open)));
    if (open == std::string_view::npos) break;
    const std::size_t close = text.find("}}", open);
    const std::string_view name = close == std::string_view::npos
                                      ? text.substr(open)
                                      : text.substr(open + 2, close - open - 2);
    if (name == "YYYY") {
      parsed.pieces_.emplace_back(Place::kYear);
    } else if (name == "MM") {
      parsed.pieces_.emplace_back(Place::kMonth);
    } else if (name == "DD") {
      parsed.pieces_.emplace_back(Place::kDay);
    } else if (name == "HH") {
      parsed.pieces_.emplace_back(Place::kHour);
      parsed.has_hour_ = true;
    } else {
      return InvalidArgumentError("path has \"" + std::string(name) +
                                  "\" where {{YYYY}}, {{MM}}, {{DD}} or {{HH}} can stand");
    }
    parsed.has_date_ = true;
    text.remove_prefix(close + 2);
  }
  return parsed;
}

std::vector<std::string> PathTemplate::Expand(std::chrono::sys_days day) const {
  std::vector<std::string> paths;
  const int hours = has_hour_ ? 24 : 1;
  for (int hour = 0; hour < hours; ++hour) paths.push_back(ExpandHour(day, hour));
  return paths;
}

std::string PathTemplate::ExpandHour(std::chrono::sys_days day, int hour) const {
  const std::chrono::year_month_day date(day);
  std::string path;
  for (const Piece& piece : pieces_) {
    if (const auto* literal = std::get_if<std::string>(&piece)) {
      path += *literal;
      continue;
    }
    switch (std::get<Place>(piece)) {
      case Place::kYear:
        path += Padded(static_cast<int>(date.year()), 4);
        break;
      case Place::kMonth:
        path += Padded(static_cast<int>(static_cast<unsigned>(date.month())), 2);
        break;
      case Place::kDay:
        path += Padded(static_cast<int>(static_cast<unsigned>(date.day())), 2);
        break;
      case Place::kHour:
        path += Padded(hour, 2);
        break;
    }
  }
  return path;
}

}  // namespace primus::sources
