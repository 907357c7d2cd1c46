// bias + Σ first-order weights of the row's keys + Σ dense value · its weight.
#pragma once

#include "primus/train/part.h"

namespace primus::train {

class LinearTerms final : public Part {
 public:
  explicit LinearTerms(const InputShape& shape) : shape_(shape) {}

  std::vector<jobspec::DenseSegment> Segments() const override;
  void Forward(const Activations& batch, std::span<const float> parameters,
               std::span<float> logits) override;
  void Backward(const BackwardArguments& arguments) override;

 private:
  InputShape shape_;
};

}  // namespace primus::train
