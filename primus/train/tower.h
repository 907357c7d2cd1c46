// A multi-layer perceptron over a row's inputs: hidden layers with ReLU, then one value.
#pragma once

#include <string>

#include "primus/train/linear.h"
#include "primus/train/part.h"

namespace primus::train {

class Tower final : public Part {
 public:
  // `hidden`: widths of the hidden layers, none for a plain linear map.
  Tower(const InputShape& shape, std::span<const uint32_t> hidden);

  std::vector<jobspec::DenseSegment> Segments() const override;
  void Forward(const Activations& batch, std::span<const float> parameters,
               std::span<float> logits) override;
  void Backward(const BackwardArguments& arguments) override;

 private:
  std::vector<Linear> layers_;
  std::vector<std::vector<float>> outputs_;    // of each layer in the last Forward
  std::vector<std::vector<float>> gradients_;  // by each layer's input
};

}  // namespace primus::train
