#include "primus/embedding/dense_vector.h"

#include <algorithm>
#include <cstring>

#include "primus/embedding/dense_layout.h"
#include "primus/embedding/initial_values.h"

namespace primus::embedding {

DenseVector::DenseVector(const jobspec::ModelPlan& plan, const jobspec::ShardRange& shards,
                         const Optimizer& optimizer)
    : optimizer_(optimizer) {
  const uint64_t values = plan.dense_values();
  for (const uint64_t number : DenseBlocksOf(values, shards)) {
    const auto size = static_cast<uint32_t>(DenseBlockSize(values, number));
    const uint32_t state = optimizer.StateSize(size);
    PageRef page = PageRef::New((size + state) * sizeof(float));
    auto* floats = reinterpret_cast<float*>(page.Writable());
    InitialDense(plan, number * jobspec::kDenseBlock, {floats, size});
    optimizer.InitialState({floats + size, state});
    blocks_.push_back({.number = number, .size = size, .steps = 0, .page = std::move(page)});
    size_ += size;
  }
}

uint64_t DenseVector::bytes() const {
  uint64_t bytes = 0;
  for (const DenseBlock& block : blocks_) bytes += block.page.bytes() + sizeof(DenseBlock);
  return bytes;
}

void DenseVector::Pull(float* out) const {
  for (const DenseBlock& block : blocks_) {
    std::memcpy(out, block.floats(), block.size * sizeof(float));
    out += block.size;
  }
}

void DenseVector::Push(const float* gradients) {
  for (DenseBlock& block : blocks_) {
    float* row = reinterpret_cast<float*>(block.page.Writable());
    ++block.steps;
    optimizer_.Apply(
        {.rows = {&row, 1}, .gradients = gradients, .width = block.size, .step = block.steps});
    gradients += block.size;
  }
}

DenseBlock* DenseVector::Find(uint64_t number) {
  const auto it = std::lower_bound(
      blocks_.begin(), blocks_.end(), number,
      [](const DenseBlock& block, uint64_t wanted) { return block.number < wanted; });
  return it != blocks_.end() && it->number == number ? &*it : nullptr;
}

}  // namespace primus::embedding
