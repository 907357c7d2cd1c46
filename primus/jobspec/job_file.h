// A job file, read and checked: what a program does before it starts anything.
//
// Beside what the walker finds (config/walker.h), rules between fields are checked (job_check.h),
// and all problems come in one list. Names that follow from others are filled in: the base of a
// stream, the place of storage. Pure.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "primus/base/result.h"
#include "primus/config/walker.h"

namespace primus::config {
class Job;
}

namespace primus::jobspec {

// With problems, `job` is what could be read. Whoever finds more adds it under the path of the
// value: reading.problems.Add(reading.positions.Of(path), path, text).
struct JobFile {
  std::shared_ptr<config::Job> job;
  config::Reading reading;
};
JobFile ReadJob(const config::YamlInput& input, const config::Slots& slots);

// The job, or kInvalidArgument with all problems, one a line.
Result<config::Job> LoadJob(const config::YamlInput& input, const config::Slots& slots);

// A stored job going on under assignments (`primus resume`): what its fields call immutable may
// not change. `file` is what messages call the stored job.
struct ResumeInput {
  std::string file;
  const config::Job& stored;
  std::vector<std::string> sets;
};
Result<config::Job> ResumeJob(const ResumeInput& input, const config::Slots& slots);

}  // namespace primus::jobspec
