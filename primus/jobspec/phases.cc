#include "primus/jobspec/phases.h"

#include "primus/config/timestamp.h"

#include "proto/config/job.pb.h"

namespace primus::jobspec {

std::vector<Phase> PhasesOf(const config::Job& job) {
  std::vector<Phase> phases;
  const config::JobSpec& spec = job.spec();
  if (!spec.has_model() || spec.data().streams_size() == 0) return phases;
  std::optional<WallTime> cut;
  if (spec.has_evaluate()) {
    const Result<WallTime> from = config::ParseTimestamp(spec.evaluate().from());
    PRIMUS_CHECK(from.ok(), "the job was checked");
    cut = *from;
  }
  const Phase training{.to = cut,
                       .batch_rows = spec.train().batch_size(),
                       .shuffle = spec.data().streams(0).has_shuffle()};
  phases.assign(spec.train().passes(), training);
  if (spec.evaluate().has_holdout()) {
    phases.push_back({.purpose = batch::Purpose::kHoldout,
                      .from = cut,
                      .batch_rows = spec.train().batch_size()});
  }
  if (spec.evaluate().has_progressive()) {
    phases.push_back({.purpose = batch::Purpose::kProgressive,
                      .from = cut,
                      .batch_rows = spec.evaluate().progressive().rows(),
                      .alone = true});
  }
  for (uint32_t i = 0; i < phases.size(); ++i) phases[i].pass = i;
  return phases;
}

}  // namespace primus::jobspec
