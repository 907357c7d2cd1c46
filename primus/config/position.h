// Where something of a configuration was written: a place in the file, or an assignment of the
// command line (`--set`). Values; lines and columns count from 1, columns count bytes.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace primus::config {

struct Position {
  uint32_t set = 0;  // ordinal of the `--set`, from 1; 0: the file
  uint32_t line = 1;
  uint32_t column = 1;
  auto operator<=>(const Position&) const = default;
};

// "12:9" or "--set 2".
std::string Place(Position position);

// Path of a value ("spec.data.streams[ratings].window") → where it was written.
class SourceMap {
 public:
  // The first of several stays.
  void Add(std::string path, Position position);
  // Of the value itself or, when it was not written, of the nearest thing around it.
  Position Of(std::string_view path) const;
  // The last assignment to the value or to something inside it; without one, the same as Of.
  Position LastSet(std::string_view path) const;

 private:
  std::map<std::string, Position, std::less<>> positions_;
};

// "spec.data"; `name` alone when `path` is empty.
std::string ChildPath(std::string_view path, std::string_view name);
// "spec.roles[ps]"
std::string ItemPath(std::string_view path, std::string_view item);
// Whether `inner` is `outer` or inside it.
bool Encloses(std::string_view outer, std::string_view inner);
// The path around it: "spec.roles[ps]" → "spec.roles" → "spec" → "".
std::string_view ParentPath(std::string_view path);

}  // namespace primus::config
