#include "primus/train/metrics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "primus/base/seeded.h"

namespace primus::train {
namespace {

struct Scored {
  float logit;
  float label;
};

// Few distinct logits, so that there are many ties.
std::vector<Scored> RandomRows(std::size_t count, uint64_t seed) {
  SeededSequence random(seed);
  std::vector<Scored> rows(count);
  for (Scored& row : rows) {
    row.label = random.NextUnit() < 0.4 ? 1.0F : 0.0F;
    row.logit = static_cast<float>(random.Below(20)) / 4 - 3 + row.label;
  }
  return rows;
}

double BruteForceAuc(const std::vector<Scored>& rows) {
  double right = 0;
  double pairs = 0;
  for (const Scored& positive : rows) {
    if (positive.label < 0.5F) continue;
    for (const Scored& negative : rows) {
      if (negative.label > 0.5F) continue;
      pairs += 1;
      if (positive.logit > negative.logit) right += 1;
      if (positive.logit == negative.logit) right += 0.5;
    }
  }
  return right / pairs;
}

BatchScores Batch(const batch::MiniBatchInfo& info, const std::vector<Scored>& rows) {
  BatchScores batch{.info = info, .labels = {}, .predictions = {{}}, .loss_sum = 1.5};
  for (const Scored& row : rows) {
    batch.labels.push_back(row.label);
    batch.predictions[0].logits.push_back(row.logit);
  }
  return batch;
}

const batch::MiniBatchInfo kTrain{.purpose = batch::Purpose::kTrain, .phase = 0};
const batch::MiniBatchInfo kSecondPass{.purpose = batch::Purpose::kTrain, .phase = 1, .pass = 1};
const batch::MiniBatchInfo kHoldout{.purpose = batch::Purpose::kHoldout, .phase = 2};

TEST(ExactScores, AucIsTheShareOfOrderedPairsWithTiesAsHalf) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    const auto rows = RandomRows(150, seed);
    ExactScores scores;
    for (const Scored& row : rows) scores.Add(row.logit, row.label);
    EXPECT_NEAR(scores.Auc().value(), BruteForceAuc(rows), 1e-12) << seed;
  }
}

TEST(ExactScores, AConstantHasAucOneHalf) {
  ExactScores scores;
  for (int i = 0; i < 10; ++i) scores.Add(0.3F, i % 3 == 0 ? 1.0F : 0.0F);
  EXPECT_EQ(scores.Auc(), 0.5);
}

TEST(ExactScores, SayNothingWithoutBothKinds) {
  ExactScores scores;
  EXPECT_FALSE(scores.LogLoss());
  scores.Add(1, 1);
  EXPECT_FALSE(scores.Auc());
  EXPECT_NEAR(scores.LogLoss().value(), std::log1p(std::exp(-1.0)), 1e-12);
}

TEST(ScoreHistogram, AucIsNearTheExactOne) {
  SeededSequence random(3);
  std::vector<Scored> rows(2000);
  for (Scored& row : rows) {
    row.label = random.NextUnit() < 0.5 ? 1.0F : 0.0F;
    row.logit = static_cast<float>(random.NextUnit() * 4 - 2) + row.label;
  }
  ScoreHistogram histogram;
  for (const Scored& row : rows) histogram.Add(row.logit, row.label);
  EXPECT_NEAR(histogram.Auc().value(), BruteForceAuc(rows), 0.003);
}

TEST(ScoreHistogram, PutsExtremeLogitsIntoTheOuterCells) {
  ScoreHistogram histogram;
  histogram.Add(1e30F, 1);
  histogram.Add(-1e30F, 0);
  EXPECT_EQ(histogram.positives(ScoreHistogram::kCells - 1), 1U);
  EXPECT_EQ(histogram.negatives(0), 1U);
  EXPECT_EQ(histogram.Auc(), 1.0);
}

TEST(MetricState, KeepsLiveNumbersOfTheFirstPassOnly) {
  MetricState state;
  state.Add(Batch(kTrain, RandomRows(50, 1)));
  state.Add(Batch(kSecondPass, RandomRows(60, 2)));
  const PhaseMetrics& first = state.phases().at(0);
  const PhaseMetrics& second = state.phases().at(1);
  EXPECT_TRUE(first.live.Auc());
  EXPECT_TRUE(first.exact.empty());
  EXPECT_FALSE(second.live.Auc());
  EXPECT_EQ(second.rows, 60U);
  EXPECT_EQ(second.loss_rows, 60U);
  EXPECT_EQ(second.pass, 1U);
}

TEST(MetricState, RowsWithoutPredictionsAreCountedWithoutLoss) {
  MetricState state;
  BatchScores batch{.info = kTrain, .labels = {0, 0, 0}, .predictions = {}, .loss_sum = 0};
  state.Add(batch);
  EXPECT_EQ(state.phases().at(0).rows, 3U);
  EXPECT_EQ(state.phases().at(0).loss_rows, 0U);
}

TEST(MetricState, MergesInAnyOrderToTheSameBytes) {
  std::vector<MetricState> parts(3);
  parts[0].Add(Batch(kTrain, RandomRows(40, 1)));
  parts[0].Add(Batch(kHoldout, RandomRows(40, 2)));
  parts[1].Add(Batch(kHoldout, RandomRows(30, 3)));
  parts[2].Add(Batch(kTrain, RandomRows(20, 4)));
  MetricState forward;
  MetricState backward;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    forward.Merge(parts[i]);
    backward.Merge(parts[parts.size() - 1 - i]);
  }
  EXPECT_EQ(forward.Serialize(), backward.Serialize());
  EXPECT_EQ(forward.phases().at(2).exact.at(Predictor::kModel).rows(), 70U);
}

TEST(MetricState, SurvivesSerialising) {
  MetricState state;
  state.Add(Batch(kTrain, RandomRows(40, 1)));
  state.Add(Batch(kHoldout, RandomRows(40, 2)));
  const std::string bytes = state.Serialize();
  const MetricState parsed = MetricState::Parse(bytes).value();
  EXPECT_EQ(parsed.Serialize(), bytes);
  EXPECT_EQ(parsed.phases().at(0).live.Auc(), state.phases().at(0).live.Auc());
  EXPECT_TRUE(MetricState::Parse("").value().empty());
}

TEST(MetricState, RefusesTornAndForeignBytes) {
  MetricState state;
  state.Add(Batch(kHoldout, RandomRows(10, 2)));
  const std::string bytes = state.Serialize();
  for (std::size_t size = 1; size < bytes.size(); ++size) {
    EXPECT_FALSE(MetricState::Parse(bytes.substr(0, size)).ok()) << size;
  }
  EXPECT_FALSE(MetricState::Parse(bytes + "x").ok());
  std::string newer = bytes;
  newer[4] = 2;
  EXPECT_EQ(MetricState::Parse(newer).status().message(),
            "metric state: version 2, this build reads 1");
}

}  // namespace
}  // namespace primus::train
