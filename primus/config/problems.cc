#include "primus/config/problems.h"

#include <algorithm>
#include <utility>

namespace primus::config {
namespace {

constexpr std::size_t kLinesMax = 100;

}  // namespace

void Problems::Add(Position position, std::string path, std::string text) {
  problems_.push_back({position, std::move(path), std::move(text)});
}

bool Problems::Touch(std::string_view path) const {
  return std::any_of(problems_.begin(), problems_.end(), [path](const Problem& problem) {
    return Encloses(path, problem.path) || Encloses(problem.path, path);
  });
}

std::string Problems::LineOf(const Problem& problem) const {
  std::string line = Place(problem.position);
  if (problem.position.set == 0) line = file_ + ":" + line;
  line += ": ";
  if (!problem.path.empty()) line += problem.path + ": ";
  return line + problem.text;
}

std::vector<std::string> Problems::Lines() const {
  std::vector<const Problem*> order;
  for (const Problem& problem : problems_) order.push_back(&problem);
  std::stable_sort(order.begin(), order.end(),
                   [](const Problem* a, const Problem* b) { return a->position < b->position; });
  std::vector<std::string> lines;
  for (const Problem* problem : order) {
    if (lines.size() == kLinesMax) break;
    lines.push_back(LineOf(*problem));
  }
  if (order.size() > kLinesMax) {
    lines.push_back("and " + std::to_string(order.size() - kLinesMax) + " more");
  }
  return lines;
}

Status Problems::ToStatus() const {
  if (problems_.empty()) return OkStatus();
  std::string text;
  for (const std::string& line : Lines()) {
    if (!text.empty()) text += '\n';
    text += line;
  }
  return InvalidArgumentError(std::move(text));
}

}  // namespace primus::config
