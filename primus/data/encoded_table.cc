#include "primus/data/encoded_table.h"

namespace primus::data {

OriginEncoder::OriginEncoder(const ChainPlan& plan, std::size_t origin) {
  std::size_t keys = 0;
  std::size_t dense = 0;
  for (const FeaturePlan& feature : plan.features) {
    FeatureEncoder encoder(feature.request.spec, feature.request.table);
    const std::size_t target = encoder.is_dense() ? dense++ : keys++;
    if (feature.origin != origin) continue;
    (encoder.is_dense() ? dense_ : keys_).push_back({std::move(encoder), target});
  }
}

Status OriginEncoder::Append(const RowSelection& selection, EncodedTable& table) const {
  table.keys.resize(keys_.size());
  table.dense.resize(dense_.size());
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    PRIMUS_TRY(keys_[i].encoder.AppendKeys(selection, table.keys[i]));
  }
  for (std::size_t i = 0; i < dense_.size(); ++i) {
    PRIMUS_TRY(dense_[i].encoder.AppendDense(selection, table.dense[i]));
  }
  return OkStatus();
}

}  // namespace primus::data
