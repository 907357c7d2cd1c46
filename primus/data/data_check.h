// Checks a job against its data before anything starts: sources, columns, types, joins, operators,
// features and label. For `primus config check` and the start of a job.
//
// Reads listings and a footer of each source, no rows. Blocks.
#pragma once

#include <string>

#include "primus/data/data_slots.h"
#include "primus/data/spec_problem.h"

namespace primus::config {
class Job;
}  // namespace primus::config

namespace primus::data {

// All that is wrong, in the order of the streams; relative paths start at `root`. Every feature of
// the job is checked, whether its network uses it or not.
SpecProblems CheckData(const config::Job& job, const DataSlots& slots, const std::string& root);

}  // namespace primus::data
