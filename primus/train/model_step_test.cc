#include "primus/train/model_step.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "primus/train/fm_interaction.h"
#include "primus/train/gradient_check.h"
#include "primus/train/linear_terms.h"
#include "primus/train/logit_network.h"
#include "primus/train/plan_model.h"
#include "primus/train/test_batch.h"
#include "primus/train/tower.h"

namespace primus::train {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Half the squared distance of logit and label: a loss without a kink or a limit.
class Squared final : public Loss {
 public:
  Status CheckLabel(float) const override { return OkStatus(); }
  double Run(std::span<const float> logits, std::span<const float> labels,
             std::span<float> gradient) const override {
    double sum = 0;
    for (std::size_t i = 0; i < logits.size(); ++i) {
      gradient[i] = logits[i] - labels[i];
      sum += 0.5 * gradient[i] * gradient[i];
    }
    return sum;
  }
};

// Two key features in one table, one of several keys in its own, one dense value.
jobspec::ModelPlan Plan(jobspec::CombinerKind combiner) {
  jobspec::ModelPlan plan;
  plan.label_column = "liked";
  plan.tables = {TestTable("shared", 3, true), TestTable("genres", 3, true)};
  plan.features.resize(4);
  plan.features[0].name = "left";
  plan.features[1].name = "price";
  plan.features[1].source = jobspec::FeatureSource::kDense;
  plan.features[2].name = "genres";
  plan.features[2].source = jobspec::FeatureSource::kMultiHot;
  plan.features[2].table = 1;
  plan.features[2].combiner = combiner;
  plan.features[3].name = "right";
  return plan;
}

PartList AllParts(const InputShape& shape) {
  const std::vector<uint32_t> hidden{5, 4};
  return PartsOf(std::make_unique<LinearTerms>(shape), std::make_unique<FmInteraction>(shape),
                 std::make_unique<Tower>(shape, hidden));
}

struct Made {
  jobspec::ModelPlan plan;
  std::unique_ptr<Step> step;
};
Made Make(jobspec::CombinerKind combiner = jobspec::CombinerKind::kSum) {
  const LogitNetwork network(NetworkNeeds{}, Dims::kEqual, &AllParts);
  Made made{.plan = Plan(combiner), .step = nullptr};
  made.plan.dense = network.Segments(made.plan);
  made.step = std::make_unique<ModelStep>(
      made.plan, network.BuildModel(made.plan, std::make_unique<Squared>()));
  return made;
}

std::vector<TestRow> Rows() {
  return {{.keys = {{1}, {100, 101, 102}, {2}}, .dense = {0.5F}, .label = 1},
          {.keys = {{2}, {}, {1}}, .dense = {-1.5F}, .label = 0},
          {.keys = {{1}, {101}, {}}, .dense = {2}, .label = 1},
          {.keys = {{3}, {100, 100}, {3}}, .dense = {0}, .label = 0}};
}

TEST(ModelStep, GradientsAreSlopesUnderSum) {
  Made made = Make();
  const TestBatch batch(LayoutOf(made.plan), Rows());
  ExpectGradientsAreSlopes(*made.step, made.plan, batch.view());
}

TEST(ModelStep, GradientsAreSlopesUnderMean) {
  Made made = Make(jobspec::CombinerKind::kMean);
  const TestBatch batch(LayoutOf(made.plan), Rows());
  ExpectGradientsAreSlopes(*made.step, made.plan, batch.view());
}

TEST(ModelStep, TheSameValueInTwoFeaturesOfATableIsOneKey) {
  Made made = Make();
  const TestBatch batch(LayoutOf(made.plan), Rows());
  const BatchKeys keys = made.step->Prepare(batch.view());
  EXPECT_EQ(keys.unique[0], (std::vector<uint64_t>{1, 2, 3}));
  EXPECT_EQ(keys.unique[1], (std::vector<uint64_t>{100, 101, 102}));
}

Result<StepResult> RunOn(Made& made, const TestBatch& batch) {
  const BatchKeys keys = made.step->Prepare(batch.view());
  const TestParameters parameters = RandomParameters(made.plan, keys);
  return made.step->Run(
      {.batch = batch.view(), .keys = keys, .rows = parameters.rows, .dense = parameters.dense});
}

TEST(ModelStep, ResultsDependOnTheInputAlone) {
  Made first = Make();
  Made second = Make();
  const TestBatch batch(LayoutOf(first.plan), Rows());
  const TestBatch other(LayoutOf(first.plan), {Rows()[1]});
  ASSERT_TRUE(RunOn(second, other).ok());
  const StepResult a = RunOn(first, batch).value();
  const StepResult b = RunOn(second, batch).value();
  EXPECT_EQ(a.gradients, b.gradients);
  EXPECT_EQ(a.dense_gradient, b.dense_gradient);
  EXPECT_EQ(a.scores.predictions[0].logits, b.scores.predictions[0].logits);
}

TEST(ModelStep, HoldoutPredictsAndHasNoGradients) {
  Made made = Make();
  const TestBatch batch(LayoutOf(made.plan), Rows(), {.purpose = batch::Purpose::kHoldout});
  const StepResult result = RunOn(made, batch).value();
  EXPECT_EQ(result.scores.predictions[0].logits.size(), 4U);
  EXPECT_TRUE(result.gradients.empty());
  EXPECT_TRUE(result.dense_gradient.empty());
}

TEST(ModelStep, RefusesFeaturesThatAreNotFinite) {
  Made made = Make();
  for (const float bad : {kInfinity, std::nanf("")}) {
    std::vector<TestRow> rows = Rows();
    rows[2].dense = {bad};
    const auto result = RunOn(made, TestBatch(LayoutOf(made.plan), rows));
    EXPECT_EQ(result.status().code(), StatusCode::kInvalidArgument);
    EXPECT_EQ(result.status().message(), "feature price holds NaN or infinity");
  }
}

TEST(ModelStep, RefusesALossThatOverflows) {
  Made made = Make();
  std::vector<TestRow> rows = Rows();
  rows[0].dense = {3e38F};
  const auto result = RunOn(made, TestBatch(LayoutOf(made.plan), rows));
  EXPECT_EQ(result.status().code(), StatusCode::kInvalidArgument);
}

TEST(ModelStep, RefusesPulledRowsThatAreNotFinite) {
  Made made = Make();
  const TestBatch batch(LayoutOf(made.plan), Rows());
  const BatchKeys keys = made.step->Prepare(batch.view());
  TestParameters parameters = RandomParameters(made.plan, keys);
  parameters.rows[1][4] = kInfinity;
  const auto result = made.step->Run(
      {.batch = batch.view(), .keys = keys, .rows = parameters.rows, .dense = parameters.dense});
  EXPECT_EQ(result.status().message(), "table genres holds NaN or infinity");
}

}  // namespace
}  // namespace primus::train
