// One step of training or evaluation on one batch, apart from pulling and pushing: the seam
// between the trainer and the arithmetic (a model | counted rows).
//
// Results depend on the input alone. One thread at a time; a trainer has one Step for each step
// that it may have in flight.
#pragma once

#include <span>
#include <vector>

#include "primus/base/result.h"
#include "primus/batch/minibatch.h"
#include "primus/train/batch_keys.h"
#include "primus/train/batch_scores.h"
#include "primus/train/pooling.h"

namespace primus::train {

struct StepInput {
  const batch::MiniBatchView& batch;
  const BatchKeys& keys;         // from Prepare on this batch
  const TableRows& rows;         // as pulled, zeros for keys that a ps does not have
  std::span<const float> dense;  // the whole dense vector
};

struct StepResult {
  TableRows gradients;                // by table, shape of StepInput::rows; empty in hold-out
  std::vector<float> dense_gradient;  // the whole dense vector; empty in hold-out
  BatchScores scores;
};

class Step {
 public:
  virtual ~Step() = default;
  // The keys to pull and push for this batch.
  virtual BatchKeys Prepare(const batch::MiniBatchView& batch) = 0;
  // kInvalidArgument when the batch cannot be trained on: NaN or infinity in a feature, a
  // parameter or a gradient, or a label that the loss refuses. Nothing of such a batch is pushed.
  virtual Result<StepResult> Run(const StepInput& input) = 0;
};

}  // namespace primus::train
