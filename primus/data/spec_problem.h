// A mistake in the job file that only the data can show. `path` is that of the value
// ("spec.data.streams[ratings].join[users].keys"), so that config::Problems can add line and
// column.
#pragma once

#include <string>
#include <vector>

#include "primus/base/status.h"

namespace primus::data {

struct SpecProblem {
  std::string path;
  std::string text;
};
using SpecProblems = std::vector<SpecProblem>;

// OK when there are none, else kInvalidArgument with one line for each.
Status ToStatus(const SpecProblems& problems);

}  // namespace primus::data
