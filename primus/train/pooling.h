// From rows of tables to a batch's activations, and gradients back: each key feature's vectors
// (and first-order weights) are added up, or averaged, over the row's keys of that feature.
//
// No key gives zeros, also under Mean. Table gradients are sums over the batch. Immutable.
#pragma once

#include <span>
#include <vector>

#include "primus/jobspec/model_plan.h"
#include "primus/train/activations.h"
#include "primus/train/batch_keys.h"

namespace primus::batch {
class MiniBatchView;
}

namespace primus::train {

// By table: distinct keys × TableSpec::width, in the order of BatchKeys::unique.
using TableRows = std::vector<std::vector<float>>;

class Pooling {
 public:
  explicit Pooling(const jobspec::ModelPlan& plan);

  const InputShape& shape() const { return shape_; }
  Activations Forward(const batch::MiniBatchView& batch, const BatchKeys& keys,
                      const TableRows& rows) const;
  // Adds to `table_gradients`, which has the shape of `rows` in Forward.
  void Backward(const batch::MiniBatchView& batch, const BatchKeys& keys,
                const Activations& gradient, TableRows& table_gradients) const;

 private:
  struct Feature {
    std::size_t table = 0;
    std::size_t dim = 0;
    std::size_t width = 0;
    std::size_t column = 0;  // of its vector among the inputs
    jobspec::CombinerKind combiner = jobspec::CombinerKind::kSum;
  };
  // The keys of one feature: those of row i are slots[offsets[i]] to slots[offsets[i + 1]].
  struct Occurrences {
    std::span<const uint32_t> offsets;
    std::span<const uint32_t> slots;
  };
  void ForwardFeature(std::size_t ordinal, const Occurrences& keys, const TableRows& rows,
                      Activations& batch) const;
  void BackwardFeature(std::size_t ordinal, const Occurrences& keys, const Activations& gradient,
                       TableRows& table_gradients) const;

  InputShape shape_;
  std::vector<Feature> features_;  // key features
};

}  // namespace primus::train
