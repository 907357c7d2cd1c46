#include "apps/primus/job_file.h"

#include <cerrno>
#include <fstream>
#include <sstream>
#include <utility>

#include "apps/primus/plugins.h"
#include "primus/jobspec/job_file.h"

#include "proto/config/job.pb.h"

namespace primus::apps {
namespace {

Result<std::string> ReadText(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return ErrnoError("cannot read the job file " + path, errno);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file.good() && !file.eof()) return ErrnoError("cannot read the job file " + path, errno);
  return text.str();
}

}  // namespace

Result<config::Job> LoadJobFile(const JobFileInput& input, const Plugins& plugins) {
  PRIMUS_ASSIGN(std::string text, ReadText(input.path));
  std::vector<std::string> sets = input.sets;
  if (input.seed) sets.push_back("spec.seed=" + std::to_string(*input.seed));
  return jobspec::LoadJob({.file = input.path, .text = std::move(text), .sets = std::move(sets)},
                          plugins.Slots());
}

Result<config::Job> ChangeJob(const config::Job& before, const std::vector<std::string>& sets,
                              const Plugins& plugins) {
  return jobspec::ResumeJob(
      {.file = "job " + before.metadata().name(), .stored = before, .sets = sets}, plugins.Slots());
}

}  // namespace primus::apps
