#include "primus/config/position.h"

#include <utility>

namespace primus::config {

std::string Place(Position position) {
  if (position.set > 0) return "--set " + std::to_string(position.set);
  return std::to_string(position.line) + ":" + std::to_string(position.column);
}

void SourceMap::Add(std::string path, Position position) {
  positions_.emplace(std::move(path), position);
}

Position SourceMap::Of(std::string_view path) const {
  while (true) {
    const auto it = positions_.find(path);
    if (it != positions_.end()) return it->second;
    if (path.empty()) return {};
    path = ParentPath(path);
  }
}

Position SourceMap::LastSet(std::string_view path) const {
  Position last = Of(path);
  for (auto it = positions_.lower_bound(path); it != positions_.end(); ++it) {
    if (!it->first.starts_with(path)) break;
    if (Encloses(path, it->first) && it->second.set > last.set) last = it->second;
  }
  return last;
}

bool Encloses(std::string_view outer, std::string_view inner) {
  if (!inner.starts_with(outer)) return false;
  return outer.empty() || inner.size() == outer.size() || inner[outer.size()] == '.' ||
         inner[outer.size()] == '[';
}

std::string ChildPath(std::string_view path, std::string_view name) {
  if (path.empty()) return std::string(name);
  std::string child(path);
  child += '.';
  child += name;
  return child;
}

std::string ItemPath(std::string_view path, std::string_view item) {
  std::string child(path);
  child += '[';
  child += item;
  child += ']';
  return child;
}

std::string_view ParentPath(std::string_view path) {
  if (!path.empty() && path.back() == ']') {
    const std::size_t open = path.rfind('[');
    return open == std::string_view::npos ? std::string_view() : path.substr(0, open);
  }
  const std::size_t dot = path.rfind('.');
  // A dot inside brackets belongs to the name of an item.
  const std::size_t close = path.rfind(']');
  if (dot == std::string_view::npos) return {};
  if (close != std::string_view::npos && close > dot) return path.substr(0, close + 1);
  return path.substr(0, dot);
}

}  // namespace primus::config
