#include "primus/jobspec/model_plan.h"

#include "proto/config/job.pb.h"

namespace primus::jobspec {

FeatureSpec FeatureSpecOf(const config::Feature& feature) {
  FeatureSpec spec;
  spec.name = feature.name();
  spec.columns = {feature.column()};
  if (feature.has_dense()) {
    spec.source = FeatureSource::kDense;
    spec.has_missing = feature.dense().has_missing();
    spec.missing = feature.dense().missing();
  } else if (feature.has_multi_hot()) {
    spec.source = FeatureSource::kMultiHot;
    const auto& columns = feature.multi_hot().columns();
    spec.columns.assign(columns.begin(), columns.end());
  }
  if (feature.combiner() == config::Mean) spec.combiner = CombinerKind::kMean;
  return spec;
}

}  // namespace primus::jobspec
