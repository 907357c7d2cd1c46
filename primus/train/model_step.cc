#include "primus/train/model_step.h"

#include <cmath>
#include <iterator>
#include <utility>

#include "primus/base/check.h"
#include "primus/embedding/finite.h"

namespace primus::train {

using embedding::AllFinite;

ModelStep::ModelStep(jobspec::ModelPlan plan, std::unique_ptr<Model> model)
    : plan_(std::move(plan)), model_(std::move(model)) {
  if (plan_.baseline_item >= 0) baselines_.emplace(plan_);
}

BatchKeys ModelStep::Prepare(const batch::MiniBatchView& batch) {
  BatchKeys keys = FindKeys(batch, plan_);
  if (baselines_) keys.unique[plan_.baseline_table] = baselines_->Keys(batch);
  return keys;
}

Result<StepResult> ModelStep::Run(const StepInput& input) {
  PRIMUS_TRY(CheckInput(input));
  const bool frozen = input.batch.info().purpose == batch::Purpose::kHoldout;
  ModelOutput output;
  if (!frozen) {
    for (const std::vector<float>& rows : input.rows) output.gradients.emplace_back(rows.size());
  }
  PRIMUS_TRY(model_->Run({.batch = input.batch,
                          .keys = input.keys,
                          .rows = input.rows,
                          .dense = input.dense,
                          .want = frozen ? Want::kPredictions : Want::kGradients},
                         &output));
  if (!AllFinite(output.logits) || !std::isfinite(output.loss_sum)) {
    return InvalidArgumentError("the loss is not finite: a smaller learning rate may help");
  }
  StepResult result{.gradients = std::move(output.gradients),
                    .dense_gradient = std::move(output.dense_gradient),
                    .scores = {.info = input.batch.info(),
                               .labels = {},
                               .predictions = {},
                               .loss_sum = output.loss_sum}};
  const auto labels = input.batch.labels();
  result.scores.labels.assign(labels.begin(), labels.end());
  if (!output.logits.empty()) {
    result.scores.predictions.push_back(
        {.predictor = Predictor::kModel, .logits = std::move(output.logits)});
  }
  if (baselines_) AddBaselines(input, &result);
  PRIMUS_TRY(CheckGradients(result));
  return result;
}

Status ModelStep::CheckInput(const StepInput& input) const {
  std::size_t dense = 0;
  for (const jobspec::FeatureSpec& feature : plan_.features) {
    if (feature.source != jobspec::FeatureSource::kDense) continue;
    if (!AllFinite(input.batch.dense(dense++))) {
      return InvalidArgumentError("feature " + feature.name + " holds NaN or infinity");
    }
  }
  if (!AllFinite(input.batch.labels())) {
    return InvalidArgumentError("label " + plan_.label_column + " holds NaN or infinity");
  }
  for (std::size_t table = 0; table < input.rows.size(); ++table) {
    PRIMUS_CHECK(
        input.rows[table].size() == input.keys.unique[table].size() * plan_.tables[table].width(),
        "a row for each distinct key");
    if (!AllFinite(input.rows[table])) {
      return InvalidArgumentError("table " + plan_.tables[table].name + " holds NaN or infinity");
    }
  }
  if (!AllFinite(input.dense)) return InvalidArgumentError("dense parameters are not finite");
  return OkStatus();
}

Status ModelStep::CheckGradients(const StepResult& result) const {
  for (std::size_t table = 0; table < result.gradients.size(); ++table) {
    if (AllFinite(result.gradients[table])) continue;
    return InvalidArgumentError("the gradient of table " + plan_.tables[table].name +
                                " is not finite: a smaller learning rate may help");
  }
  if (AllFinite(result.dense_gradient)) return OkStatus();
  return InvalidArgumentError(
      "the gradient of the dense parameters is not finite: a smaller learning rate may help");
}

void ModelStep::AddBaselines(const StepInput& input, StepResult* result) const {
  const std::size_t table = plan_.baseline_table;
  const std::vector<uint64_t>& keys = input.keys.unique[table];
  std::vector<Prediction> predictions = baselines_->Predict(input.batch, keys, input.rows[table]);
  std::move(predictions.begin(), predictions.end(), std::back_inserter(result->scores.predictions));
  if (input.batch.info().purpose != batch::Purpose::kHoldout) {
    result->gradients[table] = baselines_->Gradient(input.batch, keys);
  }
}

}  // namespace primus::train
