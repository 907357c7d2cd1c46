// The real ShardStore: a SlabTable for each table and a DenseVector. See shard_store.h for the
// contract.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "primus/embedding/dense_vector.h"
#include "primus/embedding/optimizer.h"
#include "primus/embedding/part_file.h"
#include "primus/embedding/shard_store.h"
#include "primus/embedding/slab_table.h"

namespace primus::embedding {

// The slots that the plan's optimizers are looked up in. Both outlive the stores.
struct OptimizerSlots {
  const OptimizerSlot& tables;
  const OptimizerSlot& dense;
};

class SlabStore final : public ShardStore {
 public:
  // A fresh model of `shards`. kInvalidArgument for an optimizer that there is not, or whose
  // options are wrong.
  static Result<std::unique_ptr<ShardStore>> Create(const jobspec::ModelPlan& plan,
                                                    jobspec::ShardRange shards,
                                                    const OptimizerSlots& slots);

  uint64_t dense_size() const override { return dense_->size(); }
  Status Pull(std::span<const TableKeys> tables, Absent absent, std::span<float> out) override;
  void PullDense(std::span<float> out) const override;
  Status Push(std::span<const TableGradients> tables, std::span<const float> dense) override;
  std::shared_ptr<const FrozenStore> Freeze() override;
  Status Restore(const PartSource& next_part) override;
  StoreStatistics Statistics() const override;

 private:
  SlabStore() = default;

  Status CheckKeys(uint32_t table, std::span<const uint64_t> keys) const;
  Status CheckGradients(const TableGradients& gradients) const;
  Status CheckPlan(const PartHeader& header) const;
  Status LoadBlock(const PartBlock& block);

  jobspec::ShardRange shards_;
  PartHeader header_;  // what this store writes, without origin
  std::vector<std::unique_ptr<const Optimizer>> optimizers_;
  std::vector<SlabTable> tables_;
  std::unique_ptr<DenseVector> dense_;
};

}  // namespace primus::embedding
