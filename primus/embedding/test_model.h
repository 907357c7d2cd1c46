// A small model for tests of this module: two tables, three dense blocks, and two optimizers whose
// results are easy to work out by hand.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "primus/embedding/optimizer.h"
#include "primus/embedding/shard_store.h"
#include "primus/embedding/slab_store.h"

namespace primus::embedding {

// value −= gradient; the state of each value sums the gradients' squares.
class SummingOptimizer final : public Optimizer {
 public:
  uint32_t StateSize(uint32_t width) const override { return width; }
  void InitialState(std::span<float> state) const override {
    std::fill(state.begin(), state.end(), 0.5F);
  }
  void Apply(const RowUpdates& updates) const override {
    const float* gradient = updates.gradients;
    for (float* const row : updates.rows) {
      for (uint32_t i = 0; i < updates.width; ++i, ++gradient) {
        row[i] -= *gradient;
        row[updates.width + i] += *gradient * *gradient;
      }
    }
  }
};

// value −= step · gradient, so that a lost count of steps shows. One float of state a row.
class SteppingOptimizer final : public Optimizer {
 public:
  uint32_t StateSize(uint32_t) const override { return 1; }
  void InitialState(std::span<float> state) const override { state[0] = 0; }
  void Apply(const RowUpdates& updates) const override {
    const float* gradient = updates.gradients;
    for (float* const row : updates.rows) {
      row[updates.width] += 1;
      for (uint32_t i = 0; i < updates.width; ++i, ++gradient) {
        row[i] -= static_cast<float>(updates.step) * *gradient;
      }
    }
  }
};

struct TestModel {
  TestModel() {
    const auto add = [](OptimizerSlot* slot) {
      slot->Add("summing", nullptr, &Make<SummingOptimizer>);
      slot->Add("stepping", nullptr, &Make<SteppingOptimizer>);
    };
    add(&tables);
    add(&dense);
    plan.seed = 7;
    plan.tables = {{.name = "movie",
                    .dim = 3,
                    .first_order = true,
                    .init_normal_std = 0.01,
                    .optimizer = "summing",
                    .optimizer_options = {}},
                   {.name = "row",
                    .dim = 1,
                    .first_order = false,
                    .init_normal_std = 0,
                    .optimizer = "stepping",
                    .optimizer_options = {}}};
    plan.dense = {{.name = "weights", .size = 2500, .uniform_limit = 0.25},
                  {.name = "bias", .size = 100, .uniform_limit = 0}};
    plan.dense_optimizer = "stepping";
  }

  template <class T>
  static Result<std::unique_ptr<const Optimizer>> Make(std::string_view) {
    return std::unique_ptr<const Optimizer>(std::make_unique<T>());
  }
  std::unique_ptr<ShardStore> Store(jobspec::ShardRange shards = {0, jobspec::kShards - 1}) const {
    return SlabStore::Create(plan, shards, {tables, dense}).value();
  }

  OptimizerSlot tables{"tableOptimizers"};
  OptimizerSlot dense{"denseOptimizers"};
  jobspec::ModelPlan plan;
};

// Rows of one table.
inline std::vector<float> PullRows(ShardStore& store, uint32_t table,
                                   const std::vector<uint64_t>& keys, Absent absent) {
  const TableKeys asked{.table = table, .keys = keys};
  std::vector<float> rows(keys.size() * (table == 0 ? 4 : 1));
  PRIMUS_CHECK(store.Pull({&asked, 1}, absent, rows).ok(), "keys of this store");
  return rows;
}

inline Status PushRows(ShardStore& store, uint32_t table, const std::vector<uint64_t>& keys,
                       const std::vector<float>& gradients) {
  const TableGradients pushed{.table = table, .keys = keys, .gradients = gradients};
  return store.Push({&pushed, 1}, {});
}

inline PartSource PartsOf(std::vector<std::string> parts) {
  return [parts = std::move(parts),
          next = std::size_t{0}]() mutable -> Result<std::optional<std::string>> {
    if (next == parts.size()) return std::optional<std::string>();
    return std::optional<std::string>(parts[next++]);
  };
}

}  // namespace primus::embedding
