#include "primus/jobspec/job_file.h"

#include <utility>

#include "primus/config/change.h"
#include "primus/config/printer.h"
#include "primus/jobspec/job_check.h"

#include "proto/config/job.pb.h"

namespace primus::jobspec {
namespace {

void Complete(config::Job* job) {
  if (!job->has_spec()) return;
  config::JobSpec& spec = *job->mutable_spec();
  if (spec.storage().uri().empty()) {
    spec.mutable_storage()->set_uri("runs/" + job->metadata().name());
  }
  if (!spec.has_data()) return;
  for (config::Stream& stream : *spec.mutable_data()->mutable_streams()) {
    if (!stream.base().empty()) continue;
    int bases = 0;
    std::string base;
    for (const config::Source& source : stream.sources()) {
      if (source.has_dimension()) continue;
      base = source.name();
      ++bases;
    }
    if (bases == 1) stream.set_base(base);
  }
}

}  // namespace

JobFile ReadJob(const config::YamlInput& input, const config::Slots& slots) {
  auto job = std::make_shared<config::Job>();
  config::Reading reading = config::ReadYaml(input, slots, job.get());
  Complete(job.get());
  CheckJob(*job, &reading);
  return {.job = std::move(job), .reading = std::move(reading)};
}

Result<config::Job> LoadJob(const config::YamlInput& input, const config::Slots& slots) {
  JobFile file = ReadJob(input, slots);
  PRIMUS_TRY(file.reading.problems.ToStatus());
  return std::move(*file.job);
}

Result<config::Job> ResumeJob(const ResumeInput& input, const config::Slots& slots) {
  const config::YamlInput text{
      .file = input.file, .text = config::ToYaml(input.stored, slots), .sets = input.sets};
  JobFile file = ReadJob(text, slots);
  const std::size_t mistakes = file.reading.problems.size();
  config::RefuseChanges(input.stored, *file.job, &file.reading);
  const Status right = file.reading.problems.ToStatus();
  if (file.reading.problems.size() > mistakes) {
    return InvalidArgumentError(right.message() +
                                "\nA job keeps this while it lives. To change it start anew: "
                                "remove " +
                                input.stored.spec().storage().uri() +
                                " or give another spec.storage.uri, and run the job file");
  }
  PRIMUS_TRY(right);
  return std::move(*file.job);
}

}  // namespace primus::jobspec
