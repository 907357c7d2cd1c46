// The blocks of the dense vector that live on one ps: values, optimizer state and the number of
// updates of each. Pages are shared with frozen copies as in slab_table.h. One thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "primus/embedding/optimizer.h"
#include "primus/embedding/page.h"
#include "primus/jobspec/model_plan.h"

namespace primus::embedding {

struct DenseBlock {
  uint64_t number = 0;  // in the plan's dense vector
  uint32_t size = 0;    // values
  uint64_t steps = 0;   // updates so far
  PageRef page;         // values, then state

  const float* floats() const { return reinterpret_cast<const float*>(page.data()); }
};

class DenseVector {
 public:
  // `optimizer` outlives it.
  DenseVector(const jobspec::ModelPlan& plan, const jobspec::ShardRange& shards,
              const Optimizer& optimizer);

  uint64_t size() const { return size_; }  // values of all blocks
  uint64_t bytes() const;
  void Pull(float* out) const;
  // size() finite gradients.
  void Push(const float* gradients);

  uint32_t StateSize(const DenseBlock& block) const { return optimizer_.StateSize(block.size); }
  // Null if block `number` does not live here.
  DenseBlock* Find(uint64_t number);
  // Blocks ascending; a copy is a frozen one.
  const std::vector<DenseBlock>& blocks() const { return blocks_; }

 private:
  const Optimizer& optimizer_;
  std::vector<DenseBlock> blocks_;
  uint64_t size_ = 0;
};

}  // namespace primus::embedding
