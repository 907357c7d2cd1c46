#include "primus/train/logit_model.h"

#include "primus/base/check.h"
#include "primus/batch/minibatch.h"

namespace primus::train {

LogitModel::LogitModel(const jobspec::ModelPlan& plan, std::vector<std::unique_ptr<Part>> parts,
                       std::unique_ptr<Loss> loss)
    : pooling_(plan), loss_(std::move(loss)) {
  for (std::unique_ptr<Part>& part : parts) {
    std::size_t size = 0;
    for (const jobspec::DenseSegment& segment : part->Segments()) size += segment.size;
    parts_.push_back({.part = std::move(part), .begin = dense_values_, .size = size});
    dense_values_ += size;
  }
  PRIMUS_CHECK(dense_values_ == plan.dense_values(), "the plan holds the segments of these parts");
}

Status LogitModel::Run(const ModelInput& input, ModelOutput* output) {
  PRIMUS_CHECK(input.dense.size() == dense_values_, "the whole dense vector");
  for (const float label : input.batch.labels()) PRIMUS_TRY(loss_->CheckLabel(label));
  const Activations batch = pooling_.Forward(input.batch, input.keys, input.rows);
  output->logits.assign(batch.rows, 0.0F);
  for (const Placed& placed : parts_) {
    placed.part->Forward(batch, input.dense.subspan(placed.begin, placed.size), output->logits);
  }
  std::vector<float> logit_gradient(batch.rows);
  output->loss_sum = loss_->Run(output->logits, input.batch.labels(), logit_gradient);
  if (input.want == Want::kGradients) Backward(input, batch, logit_gradient, output);
  return OkStatus();
}

void LogitModel::Backward(const ModelInput& input, const Activations& batch,
                          std::span<const float> logit_gradient, ModelOutput* output) {
  Activations gradient{.rows = batch.rows,
                       .inputs = std::vector<float>(batch.inputs.size()),
                       .weights = std::vector<float>(batch.weights.size())};
  output->dense_gradient.assign(dense_values_, 0.0F);
  const std::span<float> dense_gradient(output->dense_gradient);
  for (const Placed& placed : parts_) {
    placed.part->Backward(
        {.batch = batch,
         .parameters = input.dense.subspan(placed.begin, placed.size),
         .logit_gradient = logit_gradient,
         .gradient = gradient,
         .parameter_gradient = dense_gradient.subspan(placed.begin, placed.size)});
  }
  pooling_.Backward(input.batch, input.keys, gradient, output->gradients);
  const float mean = 1.0F / static_cast<float>(batch.rows);
  for (float& value : output->dense_gradient) value *= mean;
}

}  // namespace primus::train
