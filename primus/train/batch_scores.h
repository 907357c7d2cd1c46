// What was predicted for the rows of one batch, before any update by it.
#pragma once

#include <cstdint>
#include <vector>

#include "primus/batch/minibatch.h"

namespace primus::train {

enum class Predictor : uint8_t {
  kModel = 0,
  kConstant = 1,  // the training mean
  kItemMean = 2,
  kCounts = 3,  // item and user counts
};
inline constexpr std::size_t kPredictors = 4;

struct Prediction {
  Predictor predictor = Predictor::kModel;
  std::vector<float> logits;  // one a row
};

struct BatchScores {
  batch::MiniBatchInfo info;
  std::vector<float> labels;            // one a row
  std::vector<Prediction> predictions;  // none if the network predicts nothing
  double loss_sum = 0;                  // the model's, over the rows
};

}  // namespace primus::train
