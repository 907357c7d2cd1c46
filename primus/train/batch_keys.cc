#include "primus/train/batch_keys.h"

#include <algorithm>
#include <bit>

#include "primus/batch/minibatch.h"

namespace primus::train {

void UniqueKeys::Reset(std::size_t keys_max) {
  const std::size_t cells = std::bit_ceil(std::max<std::size_t>(keys_max * 2, 16));
  cells_.assign(cells, 0);
  unique_.clear();
  mask_ = cells - 1;
}

uint32_t UniqueKeys::Add(uint64_t key) {
  uint64_t cell = key & mask_;
  while (cells_[cell] != 0) {
    const uint32_t index = cells_[cell] - 1;
    if (unique_[index] == key) return index;
    cell = (cell + 1) & mask_;
  }
  unique_.push_back(key);
  cells_[cell] = static_cast<uint32_t>(unique_.size());
  return cells_[cell] - 1;
}

std::vector<uint32_t> KeyFeatureTables(const jobspec::ModelPlan& plan) {
  std::vector<uint32_t> tables;
  for (const jobspec::FeatureSpec& feature : plan.features) {
    if (feature.source != jobspec::FeatureSource::kDense) tables.push_back(feature.table);
  }
  return tables;
}

BatchKeys FindKeys(const batch::MiniBatchView& batch, const jobspec::ModelPlan& plan) {
  const std::vector<uint32_t> tables = KeyFeatureTables(plan);
  BatchKeys result;
  result.unique.resize(plan.tables.size());
  result.slots.resize(tables.size());
  UniqueKeys unique;
  for (uint32_t table = 0; table < plan.tables.size(); ++table) {
    std::size_t keys = 0;
    for (std::size_t f = 0; f < tables.size(); ++f) {
      if (tables[f] == table) keys += batch.keys(f).size();
    }
    if (keys == 0) continue;
    unique.Reset(keys);
    for (std::size_t f = 0; f < tables.size(); ++f) {
      if (tables[f] != table) continue;
      result.slots[f].reserve(batch.keys(f).size());
      for (const uint64_t key : batch.keys(f)) result.slots[f].push_back(unique.Add(key));
    }
    result.unique[table] = unique.Take();
  }
  return result;
}

}  // namespace primus::train
