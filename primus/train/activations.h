// A batch as the parts of a network see it: pooled vectors, first-order weights and dense values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "primus/jobspec/model_plan.h"

namespace primus::train {

// Sizes that the plan decides.
struct InputShape {
  std::vector<uint32_t> dims;    // of each key feature, in order
  std::size_t vector_width = 0;  // their sum
  std::size_t dense_features = 0;
  std::size_t weight_width = 0;  // first-order weights a row: key features, or 0

  std::size_t input_width() const { return vector_width + dense_features; }
};
InputShape ShapeOf(const jobspec::ModelPlan& plan);

// Values, or the gradients of the loss's sum by them (same shape).
struct Activations {
  std::size_t rows = 0;
  std::vector<float> inputs;   // rows × input_width: pooled vectors by feature, then dense values
  std::vector<float> weights;  // rows × weight_width
};

}  // namespace primus::train
