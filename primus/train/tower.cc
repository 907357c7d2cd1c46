#include "primus/train/tower.h"

#include <algorithm>

namespace primus::train {

Tower::Tower(const InputShape& shape, std::span<const uint32_t> hidden) {
  std::size_t width = shape.input_width();
  for (const uint32_t outputs : hidden) {
    layers_.emplace_back(width, outputs, Activation::kRelu);
    width = outputs;
  }
  layers_.emplace_back(width, 1, Activation::kNone);
  outputs_.resize(layers_.size());
  gradients_.resize(layers_.size());
}

std::vector<jobspec::DenseSegment> Tower::Segments() const {
  std::vector<jobspec::DenseSegment> segments;
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    for (auto& segment : layers_[i].Segments("tower." + std::to_string(i))) {
      segments.push_back(std::move(segment));
    }
  }
  return segments;
}

void Tower::Forward(const Activations& batch, std::span<const float> parameters,
                    std::span<float> logits) {
  const float* x = batch.inputs.data();
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    outputs_[i].resize(batch.rows * layers_[i].outputs());
    layers_[i].Forward(parameters.first(layers_[i].parameters()), batch.rows, x,
                       outputs_[i].data());
    parameters = parameters.subspan(layers_[i].parameters());
    x = outputs_[i].data();
  }
  for (std::size_t row = 0; row < batch.rows; ++row) logits[row] += outputs_.back()[row];
}

void Tower::Backward(const BackwardArguments& arguments) {
  const std::size_t rows = arguments.batch.rows;
  std::vector<float> last(arguments.logit_gradient.begin(), arguments.logit_gradient.end());
  float* y_gradient = last.data();
  std::size_t end = arguments.parameters.size();
  for (std::size_t i = layers_.size(); i-- > 0;) {
    const Linear& layer = layers_[i];
    gradients_[i].resize(rows * layer.inputs());
    const std::size_t begin = end - layer.parameters();
    layer.Backward(
        {.parameters = arguments.parameters.subspan(begin, layer.parameters()),
         .rows = rows,
         .x = i == 0 ? arguments.batch.inputs.data() : outputs_[i - 1].data(),
         .y = outputs_[i].data(),
         .y_gradient = y_gradient,
         .x_gradient = gradients_[i].data(),
         .parameter_gradient = arguments.parameter_gradient.subspan(begin, layer.parameters())});
    y_gradient = gradients_[i].data();
    end = begin;
  }
  std::vector<float>& inputs = arguments.gradient.inputs;
  for (std::size_t i = 0; i < inputs.size(); ++i) inputs[i] += gradients_[0][i];
}

}  // namespace primus::train
