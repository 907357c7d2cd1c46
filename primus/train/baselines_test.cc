#include "primus/train/baselines.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <vector>

#include "primus/train/test_batch.h"

namespace primus::train {
namespace {

constexpr uint64_t kMovieA = 11;
constexpr uint64_t kMovieB = 12;
constexpr uint64_t kUser = 21;

jobspec::ModelPlan MovieAndUser() {
  jobspec::ModelPlan plan;
  plan.tables = {TestTable("movie", 2, false), TestTable("user", 2, false),
                 TestTable("c", 2, false)};
  plan.features.resize(2);
  plan.features[0].name = "movie";
  plan.features[1].name = "user";
  plan.features[1].table = 1;
  plan.baseline_item = 0;
  plan.baseline_user = 1;
  plan.baseline_table = 2;
  return plan;
}

const batch::Layout& Layout() {
  static const batch::Layout layout{
      {{"movie", batch::FeatureKind::kKeys}, {"user", batch::FeatureKind::kKeys}}};
  return layout;
}

// The table as the ps would have it after SGD with learning rate 1.
class Counts {
 public:
  void Train(const Baselines& baselines, const batch::MiniBatchView& batch) {
    const auto keys = baselines.Keys(batch);
    const auto gradient = baselines.Gradient(batch, keys);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      table_[keys[i]].first -= gradient[2 * i];
      table_[keys[i]].second -= gradient[2 * i + 1];
    }
  }
  std::vector<Prediction> Predict(const Baselines& baselines, const batch::MiniBatchView& batch) {
    const auto keys = baselines.Keys(batch);
    std::vector<float> rows;
    for (const uint64_t key : keys) {
      rows.push_back(table_[key].first);
      rows.push_back(table_[key].second);
    }
    return baselines.Predict(batch, keys, rows);
  }
  std::pair<float, float> at(uint64_t key) { return table_[key]; }

 private:
  std::map<uint64_t, std::pair<float, float>> table_;
};

const std::vector<TestRow> kFourRows{{.keys = {{kMovieA}, {kUser}}, .label = 1},
                                     {.keys = {{kMovieA}, {22}}, .label = 1},
                                     {.keys = {{kMovieB}, {kUser}}, .label = 0},
                                     {.keys = {{kMovieB}, {}}, .label = 1}};

double Logit(double p) { return std::log(p / (1 - p)); }

TEST(Baselines, CountTheFirstPassOnce) {
  const Baselines baselines(MovieAndUser());
  Counts counts;
  counts.Train(baselines, TestBatch(Layout(), kFourRows).view());
  counts.Train(baselines, TestBatch(Layout(), kFourRows, {.phase = 1, .pass = 1}).view());
  EXPECT_EQ(counts.at(0), (std::pair(3.0F, 4.0F)));
  EXPECT_EQ(counts.at(kMovieA), (std::pair(2.0F, 2.0F)));
  EXPECT_EQ(counts.at(kMovieB), (std::pair(1.0F, 2.0F)));
  EXPECT_EQ(counts.at(kUser), (std::pair(1.0F, 2.0F)));
}

TEST(Baselines, PredictFromSmoothedCounts) {
  const Baselines baselines(MovieAndUser());
  Counts counts;
  counts.Train(baselines, TestBatch(Layout(), kFourRows).view());
  const TestBatch batch(Layout(), {{.keys = {{kMovieA}, {kUser}}}, {.keys = {{99}, {}}}},
                        {.purpose = batch::Purpose::kHoldout, .phase = 2});
  const auto predictions = counts.Predict(baselines, batch.view());
  ASSERT_EQ(predictions.size(), 3U);
  const double mean = 0.75;
  const double item = (2 + 5 * mean) / (2 + 5);
  const double user = (1 + 5 * mean) / (2 + 5);
  EXPECT_EQ(predictions[0].predictor, Predictor::kConstant);
  EXPECT_NEAR(predictions[0].logits[0], Logit(mean), 1e-5);
  EXPECT_EQ(predictions[1].predictor, Predictor::kItemMean);
  EXPECT_NEAR(predictions[1].logits[0], Logit(item), 1e-5);
  EXPECT_EQ(predictions[2].predictor, Predictor::kCounts);
  EXPECT_NEAR(predictions[2].logits[0], Logit(item) + Logit(user) - Logit(mean), 1e-5);
  // Nothing is known of the second row.
  for (const Prediction& prediction : predictions) {
    EXPECT_NEAR(prediction.logits[1], Logit(mean), 1e-5);
  }
}

TEST(Baselines, ProgressiveBlocksCountButLeaveTheTrainingMean) {
  const Baselines baselines(MovieAndUser());
  Counts counts;
  counts.Train(baselines, TestBatch(Layout(), kFourRows).view());
  const TestBatch block(Layout(), {{.keys = {{kMovieA}, {kUser}}, .label = 0}},
                        {.purpose = batch::Purpose::kProgressive, .phase = 3});
  const auto before = counts.Predict(baselines, block.view());
  ASSERT_EQ(before.size(), 2U);  // constant and counts
  counts.Train(baselines, block.view());
  EXPECT_EQ(counts.at(0), (std::pair(3.0F, 4.0F)));
  EXPECT_EQ(counts.at(kMovieA), (std::pair(2.0F, 3.0F)));
  EXPECT_LT(counts.Predict(baselines, block.view())[1].logits[0], before[1].logits[0]);
}

TEST(Baselines, TrainingBatchesAreNotPredicted) {
  const Baselines baselines(MovieAndUser());
  Counts counts;
  EXPECT_TRUE(counts.Predict(baselines, TestBatch(Layout(), kFourRows).view()).empty());
}

}  // namespace
}  // namespace primus::train
