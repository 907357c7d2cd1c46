#include "apps/primus/job_file.h"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

#include "apps/primus/plugins.h"
#include "primus/data/data_check.h"
#include "primus/jobspec/job_file.h"
#include "primus/jobspec/settings.h"
#include "primus/train/plan_model.h"

#include "proto/config/job.pb.h"

namespace primus::apps {
namespace {

Result<std::string> ReadText(const std::string& path) {
  if (std::filesystem::is_directory(path)) {
    return InvalidArgumentError(path + " is a directory: give the job file in it");
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) return ErrnoError("cannot read the job file " + path, errno);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file.good() && !file.eof()) return ErrnoError("cannot read the job file " + path, errno);
  return text.str();
}

void AddDataProblems(const std::string& path, const Plugins& plugins, jobspec::JobFile* file) {
  // Absolute, so that messages say where was looked.
  const std::string root = std::filesystem::absolute(jobspec::FolderOf(path)).string();
  for (const data::SpecProblem& problem : data::CheckData(*file->job, plugins.data, root)) {
    file->reading.problems.Add(file->reading.positions.Of(problem.path), problem.path,
                               problem.text);
  }
  const auto plan = train::PlanModel(file->job->spec(), plugins.train, plugins.table_optimizers);
  if (plan.ok()) return;
  std::istringstream lines(plan.status().message());
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(": ");
    const std::string at = line.substr(0, colon);
    if (colon == std::string::npos || file->reading.problems.Touch(at)) continue;
    file->reading.problems.Add(file->reading.positions.Of(at), at, line.substr(colon + 2));
  }
}

}  // namespace

Result<config::Job> LoadJobFile(const JobFileInput& input, const Plugins& plugins) {
  PRIMUS_ASSIGN(std::string text, ReadText(input.path));
  std::vector<std::string> sets = input.sets;
  if (input.seed) sets.push_back("spec.seed=" + std::to_string(*input.seed));
  jobspec::JobFile file = jobspec::ReadJob(
      {.file = input.path, .text = std::move(text), .sets = std::move(sets)}, plugins.Slots());
  // Only a job that is right in itself is held against its data.
  if (file.reading.problems.empty() && file.job->spec().data().streams_size() > 0) {
    AddDataProblems(input.path, plugins, &file);
  }
  PRIMUS_TRY(file.reading.problems.ToStatus());
  return std::move(*file.job);
}

Result<config::Job> ChangeJob(const config::Job& before, const std::vector<std::string>& sets,
                              const Plugins& plugins) {
  return jobspec::ResumeJob(
      {.file = "job " + before.metadata().name(), .stored = before, .sets = sets}, plugins.Slots());
}

}  // namespace primus::apps
