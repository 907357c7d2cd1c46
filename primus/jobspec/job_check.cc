#include "primus/jobspec/job_check.h"

#include "proto/config/job.pb.h"

namespace primus::jobspec {
namespace {

void CheckParts(JobRules* rules) {
  const config::JobSpec& spec = rules->job().spec();
  if (spec.has_data() && !spec.has_model()) {
    rules->Refuse("spec.data", "expected spec.model beside it, got nothing");
  }
  if (!spec.has_model()) {
    const std::string text = "expected spec.model beside it, got nothing";
    if (spec.has_train()) rules->Refuse("spec.train", text);
    if (spec.has_evaluate()) rules->Refuse("spec.evaluate", text);
    if (spec.has_save_point()) rules->Refuse("spec.savePoint", text);
    if (spec.has_on_non_finite()) rules->Refuse("spec.onNonFinite", text);
  } else if (!spec.has_data()) {
    rules->Refuse("spec.model", "expected spec.data beside it, got nothing");
  }
}

void CheckStorage(JobRules* rules) {
  const std::string& uri = rules->job().spec().storage().uri();
  if (uri.find("://") != std::string::npos) {
    rules->Refuse("spec.storage.uri", "expected a directory of this machine, got a URI");
  }
}

}  // namespace

void CheckJob(const config::Job& job, config::Reading* reading) {
  if (!job.has_spec()) return;
  JobRules rules(job, reading);
  CheckParts(&rules);
  CheckStorage(&rules);
  CheckStreams(&rules);
  CheckModel(&rules);
  CheckEvaluation(&rules);
  CheckRoles(&rules);
}

}  // namespace primus::jobspec
