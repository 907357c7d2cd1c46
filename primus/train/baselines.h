// Predictions that any model must beat, from counts of likes: on the same rows, exactly once as the
// model itself, because the counts are a table like others.
//
// Table `baseline_table` has {likes, rows} by feature key of item and user, and under key 0 of the
// whole training set. Its optimizer is SGD with learning rate 1, so a gradient of −n adds n. The
// first training pass counts every row; progressive blocks count too, after they were predicted,
// except under key 0: the mean stays that of training. Later passes change nothing.
//
// With μ = mean of the training labels and f(k) = (likes + 5μ) / (rows + 5):
//   constant = μ, item mean = f(item) (hold-out), counts = σ(logit f(item) + logit f(user) − logit
//   μ).
// Immutable; any thread.
#pragma once

#include <vector>

#include "primus/batch/minibatch.h"
#include "primus/jobspec/model_plan.h"
#include "primus/train/batch_keys.h"
#include "primus/train/batch_scores.h"
#include "primus/train/pooling.h"

namespace primus::train {

class Baselines {
 public:
  // `plan` has baselines.
  explicit Baselines(const jobspec::ModelPlan& plan);

  // The keys of the baselines' table that this batch needs; none in later passes.
  std::vector<uint64_t> Keys(const batch::MiniBatchView& batch) const;
  // `keys` as given by Keys; `rows`: {likes, rows} of each.
  std::vector<Prediction> Predict(const batch::MiniBatchView& batch,
                                  const std::vector<uint64_t>& keys,
                                  const std::vector<float>& rows) const;
  // The gradient of each of `keys`: minus what the batch adds to it.
  std::vector<float> Gradient(const batch::MiniBatchView& batch,
                              const std::vector<uint64_t>& keys) const;

 private:
  // Ordinals among the key features; user is -1 if there is none.
  int item_ = -1;
  int user_ = -1;
};

}  // namespace primus::train
