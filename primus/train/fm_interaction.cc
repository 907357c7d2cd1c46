#include "primus/train/fm_interaction.h"

#include <algorithm>

#include "primus/base/check.h"

namespace primus::train {

FmInteraction::FmInteraction(const InputShape& shape)
    : features_(shape.dims.size()),
      dim_(shape.dims.empty() ? 0 : shape.dims.front()),
      stride_(shape.input_width()) {
  PRIMUS_CHECK(std::ranges::all_of(shape.dims, [&](uint32_t dim) { return dim == dim_; }),
               "pairs of vectors of one dim");
}

void FmInteraction::Forward(const Activations& batch, std::span<const float> /*parameters*/,
                            std::span<float> logits) {
  sums_.assign(batch.rows * dim_, 0.0F);
  for (std::size_t row = 0; row < batch.rows; ++row) {
    const float* vectors = batch.inputs.data() + row * stride_;
    float* sums = sums_.data() + row * dim_;
    float squares = 0;
    for (std::size_t f = 0; f < features_; ++f) {
      for (std::size_t d = 0; d < dim_; ++d) {
        const float value = vectors[f * dim_ + d];
        sums[d] += value;
        squares += value * value;
      }
    }
    float squared_sums = 0;
    for (std::size_t d = 0; d < dim_; ++d) squared_sums += sums[d] * sums[d];
    logits[row] += 0.5F * (squared_sums - squares);
  }
}

void FmInteraction::Backward(const BackwardArguments& arguments) {
  for (std::size_t row = 0; row < arguments.batch.rows; ++row) {
    const float* vectors = arguments.batch.inputs.data() + row * stride_;
    const float* sums = sums_.data() + row * dim_;
    float* gradient = arguments.gradient.inputs.data() + row * stride_;
    const float scale = arguments.logit_gradient[row];
    for (std::size_t f = 0; f < features_; ++f) {
      for (std::size_t d = 0; d < dim_; ++d) {
        gradient[f * dim_ + d] += scale * (sums[d] - vectors[f * dim_ + d]);
      }
    }
  }
}

}  // namespace primus::train
