#include "primus/data/spec_problem.h"

#include <utility>

namespace primus::data {

Status ToStatus(const SpecProblems& problems) {
  if (problems.empty()) return OkStatus();
  std::string text;
  for (const SpecProblem& problem : problems) {
    if (!text.empty()) text += "\n";
    text += problem.path + ": " + problem.text;
  }
  return InvalidArgumentError(std::move(text));
}

}  // namespace primus::data
