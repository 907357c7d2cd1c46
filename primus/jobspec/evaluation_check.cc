#include <string>
#include <vector>

#include "primus/config/nearest_name.h"
#include "primus/config/node.h"
#include "primus/config/timestamp.h"
#include "primus/jobspec/job_check.h"

#include "proto/config/job.pb.h"

namespace primus::jobspec {
namespace {

// Both sides of the cut must have a day.
void CheckFrom(JobRules* rules) {
  const config::JobSpec& spec = rules->job().spec();
  if (!rules->Trusts("spec.data.range")) return;
  const auto from = config::ParseTimestamp(spec.evaluate().from());
  const auto first = config::ParseDate(spec.data().range().from());
  const auto last = config::ParseDate(spec.data().range().to());
  if (!from.ok() || !first.ok() || !last.ok() || *last < *first) return;
  if (*from > *first && *from < *last + Seconds(86400)) return;
  rules->Refuse("spec.evaluate.from",
                "expected an instant after the beginning of spec.data.range and before its end (" +
                    spec.data().range().from() + "T00:00:00Z to the end of " +
                    spec.data().range().to() + "), got " + spec.evaluate().from());
}

void CheckBaseline(const std::string& feature, const std::string& path, JobRules* rules) {
  if (!rules->Trusts("spec.model.features")) return;
  std::vector<std::string> names;
  for (const config::Feature& candidate : rules->job().spec().model().features()) {
    if (!candidate.has_dense() && candidate.has_column()) names.push_back(candidate.name());
    if (candidate.name() == feature && !names.empty() && names.back() == feature) return;
  }
  rules->Refuse(path, "expected a feature that is one column's key: " + config::OneOf(names) +
                          ", got " + config::Shown(feature) + config::Hint(feature, names));
}

}  // namespace

void CheckEvaluation(JobRules* rules) {
  const config::JobSpec& spec = rules->job().spec();
  if (!spec.has_evaluate() || !spec.has_model()) return;
  const config::Evaluate& evaluate = spec.evaluate();
  CheckFrom(rules);
  if (!evaluate.has_holdout() && !evaluate.has_progressive()) {
    rules->Refuse("spec.evaluate", "expected one of holdout or progressive, got none of them");
  }
  if (!spec.model().has_label()) {
    rules->Refuse("spec.model.label",
                  "expected {column: …}, as spec.evaluate is given, got nothing");
  }
  if (!evaluate.has_baselines()) return;
  const std::string path = "spec.evaluate.baselines.";
  CheckBaseline(evaluate.baselines().item(), path + "item", rules);
  const std::string& user = evaluate.baselines().user();
  if (!user.empty()) CheckBaseline(user, path + "user", rules);
}

}  // namespace primus::jobspec
