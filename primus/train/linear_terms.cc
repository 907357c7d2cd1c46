#include "primus/train/linear_terms.h"

#include <cmath>

namespace primus::train {

std::vector<jobspec::DenseSegment> LinearTerms::Segments() const {
  std::vector<jobspec::DenseSegment> segments{{.name = "bias", .size = 1, .uniform_limit = 0}};
  if (shape_.dense_features > 0) {
    const double limit = 1 / std::sqrt(static_cast<double>(shape_.dense_features));
    segments.push_back(
        {.name = "linear.weight", .size = shape_.dense_features, .uniform_limit = limit});
  }
  return segments;
}

void LinearTerms::Forward(const Activations& batch, std::span<const float> parameters,
                          std::span<float> logits) {
  const std::size_t stride = shape_.input_width();
  for (std::size_t row = 0; row < batch.rows; ++row) {
    float sum = parameters[0];
    const float* weights = batch.weights.data() + row * shape_.weight_width;
    for (std::size_t f = 0; f < shape_.weight_width; ++f) sum += weights[f];
    const float* dense = batch.inputs.data() + row * stride + shape_.vector_width;
    for (std::size_t f = 0; f < shape_.dense_features; ++f) sum += dense[f] * parameters[1 + f];
    logits[row] += sum;
  }
}

void LinearTerms::Backward(const BackwardArguments& arguments) {
  const std::size_t stride = shape_.input_width();
  for (std::size_t row = 0; row < arguments.batch.rows; ++row) {
    const float gradient = arguments.logit_gradient[row];
    arguments.parameter_gradient[0] += gradient;
    float* weights = arguments.gradient.weights.data() + row * shape_.weight_width;
    for (std::size_t f = 0; f < shape_.weight_width; ++f) weights[f] += gradient;
    const float* dense = arguments.batch.inputs.data() + row * stride + shape_.vector_width;
    float* dense_gradient = arguments.gradient.inputs.data() + row * stride + shape_.vector_width;
    for (std::size_t f = 0; f < shape_.dense_features; ++f) {
      arguments.parameter_gradient[1 + f] += gradient * dense[f];
      dense_gradient[f] += gradient * arguments.parameters[1 + f];
    }
  }
}

}  // namespace primus::train
