// A part of a network that adds its term to each row's logit, with its backward pass.
//
// A network is a list of parts (logit_network.h). A part keeps what its backward pass needs from
// the forward pass before it, so it belongs to one step; one thread at a time.
#pragma once

#include <span>
#include <vector>

#include "primus/jobspec/model_plan.h"
#include "primus/train/activations.h"

namespace primus::train {

class Part {
 public:
  virtual ~Part() = default;
  // Its stretch of the dense vector.
  virtual std::vector<jobspec::DenseSegment> Segments() const = 0;
  // Adds one term to each of `logits`.
  virtual void Forward(const Activations& batch, std::span<const float> parameters,
                       std::span<float> logits) = 0;

  struct BackwardArguments {
    const Activations& batch;  // that of Forward
    std::span<const float> parameters;
    std::span<const float> logit_gradient;
    Activations& gradient;                // added to
    std::span<float> parameter_gradient;  // added to
  };
  virtual void Backward(const BackwardArguments& arguments) = 0;
};

}  // namespace primus::train
