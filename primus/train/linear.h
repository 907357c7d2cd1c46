// A fully connected layer, y = activation(x·W + b), with its backward pass.
//
// The layer holds no parameters: they are a stretch of the dense vector, W as inputs × outputs
// row-major, then b. Initial values are uniform in ±1/sqrt(inputs), as PyTorch's nn.Linear.
// Immutable; any thread.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "primus/jobspec/model_plan.h"

namespace primus::train {

enum class Activation { kNone, kRelu };

class Linear {
 public:
  Linear(std::size_t inputs, std::size_t outputs, Activation activation);

  std::size_t inputs() const { return inputs_; }
  std::size_t outputs() const { return outputs_; }
  std::size_t parameters() const { return (inputs_ + 1) * outputs_; }
  // "<name>.weight" and "<name>.bias".
  std::vector<jobspec::DenseSegment> Segments(const std::string& name) const;

  // x: rows × inputs, y: rows × outputs.
  void Forward(std::span<const float> parameters, std::size_t rows, const float* x, float* y) const;

  struct BackwardArguments {
    std::span<const float> parameters;
    std::size_t rows = 0;
    const float* x = nullptr;
    const float* y = nullptr;             // what Forward gave
    float* y_gradient = nullptr;          // rows × outputs; multiplied by the activation's slope
    float* x_gradient = nullptr;          // rows × inputs, overwritten; null: not wanted
    std::span<float> parameter_gradient;  // added to
  };
  void Backward(const BackwardArguments& arguments) const;

 private:
  std::size_t inputs_;
  std::size_t outputs_;
  Activation activation_;
};

}  // namespace primus::train
