// Rules between the fields of a job: names that must exist, roles that must be there, what excludes
// what. Rules of single fields stand in proto/config/job.proto.
//
// What the walker already found wrong is not mentioned again. Pure.
#pragma once

#include <string>
#include <string_view>

#include "primus/config/problems.h"
#include "primus/config/walker.h"

namespace primus::config {
class Job;
}

namespace primus::jobspec {

// Adds all that is wrong to `reading`, which is that of `job`.
void CheckJob(const config::Job& job, config::Reading* reading);

// The list that the checks of one job add to.
class JobRules {
 public:
  JobRules(const config::Job& job, config::Reading* reading)
      : job_(job), reading_(*reading), read_(reading->problems) {}

  const config::Job& job() const { return job_; }
  // Whether the text of this value was in order: then what follows from it may be judged.
  bool Trusts(std::string_view path) const { return !read_.Touch(path); }
  // Where the value stands, for messages about another.
  std::string Place(std::string_view path) const {
    return config::Place(reading_.positions.Of(path));
  }
  void Refuse(const std::string& path, std::string text) {
    if (Trusts(path)) reading_.problems.Add(reading_.positions.Of(path), path, std::move(text));
  }

 private:
  const config::Job& job_;
  config::Reading& reading_;
  const config::Problems read_;  // what the walker found
};

void CheckStreams(JobRules* rules);
void CheckModel(JobRules* rules);
void CheckEvaluation(JobRules* rules);
void CheckRoles(JobRules* rules);

}  // namespace primus::jobspec
