#include "primus/executor/slot_size.h"

#include "primus/batch/encoded_rows.h"
#include "primus/batch/minibatch.h"
#include "primus/executor/batch_cutter.h"

namespace primus::executor {

uint64_t SlotBytes(const jobspec::ModelPlan& plan, uint32_t rows_max) {
  // A batch without keys has the sections; rows and keys are added with the alignment of each.
  constexpr uint64_t kAlignment = 64;
  batch::Layout layout;
  uint64_t bytes = (rows_max + 1) * sizeof(float) + kAlignment;
  for (const jobspec::FeatureSpec& feature : plan.features) {
    const bool dense = feature.source == jobspec::FeatureSource::kDense;
    layout.features.push_back(
        {.name = feature.name,
         .kind = dense ? batch::FeatureKind::kDense : batch::FeatureKind::kKeys});
    bytes += (rows_max + 1) * sizeof(uint32_t) + kAlignment;
    if (!dense) bytes += rows_max * feature.columns.size() * sizeof(uint64_t) + kAlignment;
  }
  return bytes + batch::MiniBatchBytes(layout, {}, rows_max + kSkippedSpansMax);
}

}  // namespace primus::executor
