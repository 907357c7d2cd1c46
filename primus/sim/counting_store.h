// Parameters that count: a map from key to how often it was pushed. The simulator's ShardStore.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "primus/embedding/shard_store.h"

namespace primus::sim {

using KeyCounts = std::map<uint64_t, int64_t>;

// One table of dim 1, no dense values; a push adds minus the gradient.
class CountingStore final : public embedding::ShardStore {
 public:
  explicit CountingStore(jobspec::ShardRange shards) : shards_(shards) {}

  uint64_t dense_size() const override { return 0; }
  Status Pull(std::span<const embedding::TableKeys> tables, embedding::Absent absent,
              std::span<float> out) override;
  void PullDense(std::span<float> out) const override;
  Status Push(std::span<const embedding::TableGradients> tables,
              std::span<const float> dense) override;
  std::shared_ptr<const embedding::FrozenStore> Freeze() override;
  Status Restore(const embedding::PartSource& next_part) override;
  embedding::StoreStatistics Statistics() const override;

  // Reads a part that this store wrote.
  static Status ReadPart(const std::string& bytes, KeyCounts* counts);

 private:
  Status CheckKeys(std::span<const uint64_t> keys) const;

  jobspec::ShardRange shards_;
  KeyCounts counts_;
};

}  // namespace primus::sim
