// A path with places for a window's date: "data/{{YYYY}}-{{MM}}-{{DD}}/{{HH}}". Values.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "primus/base/result.h"

namespace primus::sources {

class PathTemplate {
 public:
  // kInvalidArgument for an unknown or unclosed place.
  static Result<PathTemplate> Parse(std::string_view text);

  bool has_date() const { return has_date_; }
  // The paths of a day, one or (with {{HH}}) one an hour.
  std::vector<std::string> Expand(std::chrono::sys_days day) const;
  // Of a template without places.
  const std::string& text() const { return text_; }

 private:
  enum class Place { kYear, kMonth, kDay, kHour };
  using Piece = std::variant<std::string, Place>;
  std::string ExpandHour(std::chrono::sys_days day, int hour) const;

  std::string text_;
  std::vector<Piece> pieces_;
  bool has_date_ = false;
  bool has_hour_ = false;
};

}  // namespace primus::sources
