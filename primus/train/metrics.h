// The metric state of a job or of a stretch of it: what was predicted, by phase and predictor.
//
// Trainers add batches and report the state since the last saved cut; the master merges what
// trainers say, keeps it in save points, and reads the numbers off. Merging is exact and commutes.
// Values.
//
// Serialised, little endian: "PMM1", u32 version (1), u32 phases; each phase: u32 ordinal, u8
// purpose, u32 pass, u64 rows, f64 loss sum, u64 loss rows, u32 cells of the live histogram (u32
// cell, u64 positives, u64 negatives each), u32 predictors (u8 predictor, u64 positives, u64
// negatives, then their f32 logits ascending, each).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "primus/base/result.h"
#include "primus/train/batch_scores.h"
#include "primus/train/scores.h"

namespace primus::train {

struct PhaseMetrics {
  batch::Purpose purpose = batch::Purpose::kTrain;
  uint32_t pass = 0;
  uint64_t rows = 0;
  double loss_sum = 0;  // of the model over `loss_rows`, before each update
  uint64_t loss_rows = 0;
  ScoreHistogram live;                     // training, first pass: the model's
  std::map<Predictor, ExactScores> exact;  // hold-out and progressive
};

class MetricState {
 public:
  void Add(const BatchScores& batch);
  void Merge(const MetricState& other);

  bool empty() const { return phases_.empty(); }
  const std::map<uint32_t, PhaseMetrics>& phases() const { return phases_; }

  std::string Serialize() const;
  // kDataLoss when the bytes are not a state; empty bytes are an empty one.
  static Result<MetricState> Parse(std::string_view bytes);

 private:
  std::map<uint32_t, PhaseMetrics> phases_;  // by ordinal
};

}  // namespace primus::train
