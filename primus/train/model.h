// The mathematics of one network over a resolved plan: predictions and gradients of one batch.
//
// Knows nothing of ps, baselines or metrics. One thread at a time; results depend on the input
// alone.
#pragma once

#include <span>
#include <vector>

#include "primus/base/result.h"
#include "primus/train/batch_keys.h"
#include "primus/train/pooling.h"

namespace primus::train {

enum class Want {
  kPredictions,
  kGradients,  // and predictions
};

struct ModelInput {
  const batch::MiniBatchView& batch;
  const BatchKeys& keys;
  const TableRows& rows;         // as pulled
  std::span<const float> dense;  // the whole dense vector
  Want want = Want::kGradients;
};

struct ModelOutput {
  std::vector<float> logits;  // one a row; none if the network predicts nothing
  double loss_sum = 0;
  TableRows gradients;                // shape of ModelInput::rows; sums over the batch
  std::vector<float> dense_gradient;  // mean over the batch
};

class Model {
 public:
  virtual ~Model() = default;
  // `output->gradients` is given with the right shape, zeros.
  virtual Status Run(const ModelInput& input, ModelOutput* output) = 0;
};

}  // namespace primus::train
