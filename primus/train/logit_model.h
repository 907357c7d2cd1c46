// A model whose logit is a sum of parts, under a loss.
#pragma once

#include <memory>
#include <vector>

#include "primus/train/loss.h"
#include "primus/train/model.h"
#include "primus/train/part.h"

namespace primus::train {

class LogitModel final : public Model {
 public:
  LogitModel(const jobspec::ModelPlan& plan, std::vector<std::unique_ptr<Part>> parts,
             std::unique_ptr<Loss> loss);

  Status Run(const ModelInput& input, ModelOutput* output) override;

 private:
  struct Placed {
    std::unique_ptr<Part> part;
    std::size_t begin = 0;  // of its stretch of the dense vector
    std::size_t size = 0;
  };
  void Backward(const ModelInput& input, const Activations& batch,
                std::span<const float> logit_gradient, ModelOutput* output);

  Pooling pooling_;
  std::vector<Placed> parts_;
  std::unique_ptr<Loss> loss_;
  std::size_t dense_values_ = 0;
};

}  // namespace primus::train
