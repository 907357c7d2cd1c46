#include "primus/train/linear.h"

#include <cmath>

#include "primus/base/check.h"
#include "primus/train/matmul.h"

namespace primus::train {

Linear::Linear(std::size_t inputs, std::size_t outputs, Activation activation)
    : inputs_(inputs), outputs_(outputs), activation_(activation) {
  PRIMUS_CHECK(inputs > 0 && outputs > 0, "a layer has inputs and outputs");
}

std::vector<jobspec::DenseSegment> Linear::Segments(const std::string& name) const {
  const double limit = 1 / std::sqrt(static_cast<double>(inputs_));
  return {{.name = name + ".weight", .size = inputs_ * outputs_, .uniform_limit = limit},
          {.name = name + ".bias", .size = outputs_, .uniform_limit = limit}};
}

void Linear::Forward(std::span<const float> parameters, std::size_t rows, const float* x,
                     float* y) const {
  PRIMUS_CHECK(parameters.size() == this->parameters(), "the layer's own parameters");
  Multiply({.rows = rows,
            .columns = outputs_,
            .depth = inputs_,
            .a = {x, inputs_, 1},
            .b = {parameters.data(), outputs_, 1},
            .c = y,
            .c_step = outputs_,
            .epilogue = activation_ == Activation::kRelu ? Epilogue::kBiasRelu : Epilogue::kBias,
            .bias = parameters.data() + inputs_ * outputs_});
}

void Linear::Backward(const BackwardArguments& arguments) const {
  const std::size_t values = arguments.rows * outputs_;
  float* dy = arguments.y_gradient;
  if (activation_ == Activation::kRelu) {
    for (std::size_t i = 0; i < values; ++i) dy[i] = arguments.y[i] > 0 ? dy[i] : 0.0F;
  }
  float* dw = arguments.parameter_gradient.data();
  Multiply({.rows = inputs_,
            .columns = outputs_,
            .depth = arguments.rows,
            .a = {arguments.x, 1, inputs_},
            .b = {dy, outputs_, 1},
            .c = dw,
            .c_step = outputs_,
            .epilogue = Epilogue::kAdd});
  float* db = dw + inputs_ * outputs_;
  for (std::size_t row = 0; row < arguments.rows; ++row) {
    for (std::size_t j = 0; j < outputs_; ++j) db[j] += dy[row * outputs_ + j];
  }
  if (arguments.x_gradient == nullptr) return;
  Multiply({.rows = arguments.rows,
            .columns = inputs_,
            .depth = outputs_,
            .a = {dy, outputs_, 1},
            .b = {arguments.parameters.data(), 1, outputs_},
            .c = arguments.x_gradient,
            .c_step = inputs_});
}

}  // namespace primus::train
