// A job file, read and checked: what `run`, `submit`, `resume` and `config check` start from.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "primus/base/result.h"

namespace primus::config {
class Job;
}

namespace primus::apps {

struct Plugins;

struct JobFileInput {
  std::string path;
  std::vector<std::string> sets;  // `--set` in order
  std::optional<uint64_t> seed;   // `--seed`
};

// kInvalidArgument has every mistake of the file, one a line.
Result<config::Job> LoadJobFile(const JobFileInput& input, const Plugins& plugins);

// A stored job with `sets` on top. What may not change while a job lives is refused.
Result<config::Job> ChangeJob(const config::Job& before, const std::vector<std::string>& sets,
                              const Plugins& plugins);

}  // namespace primus::apps
