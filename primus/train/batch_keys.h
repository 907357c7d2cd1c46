// The distinct keys of a batch, by table: what is pulled and pushed, in this order.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "primus/jobspec/model_plan.h"

namespace primus::batch {
class MiniBatchView;
}

namespace primus::train {

struct BatchKeys {
  // By table: distinct keys in the order of their first appearance.
  std::vector<std::vector<uint64_t>> unique;
  // By key feature: for each of its keys in the batch, the index in its table's `unique`.
  std::vector<std::vector<uint32_t>> slots;
};

// Finds the distinct keys of one table. Keys are hashes already, so their low bits choose the
// cell. One thread; reusable.
class UniqueKeys {
 public:
  // Forgets all, and takes room for `keys_max` Add calls.
  void Reset(std::size_t keys_max);
  // The index of `key` among the distinct keys so far.
  uint32_t Add(uint64_t key);
  std::vector<uint64_t> Take() { return std::move(unique_); }

 private:
  std::vector<uint32_t> cells_;  // index + 1; 0 is free
  std::vector<uint64_t> unique_;
  uint64_t mask_ = 0;
};

// Tables of the plan's features by key feature, in layout order.
std::vector<uint32_t> KeyFeatureTables(const jobspec::ModelPlan& plan);

// For the plan's own features; a table that no feature fills stays empty.
BatchKeys FindKeys(const batch::MiniBatchView& batch, const jobspec::ModelPlan& plan);

}  // namespace primus::train
