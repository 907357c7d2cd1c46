#include "primus/sim/counting_step.h"

namespace primus::sim {

jobspec::ModelPlan CountingPlan() {
  jobspec::ModelPlan plan;
  plan.tables.push_back({.name = "row", .dim = 1, .optimizer = "sgd", .optimizer_options = {}});
  plan.features.push_back({.name = "row", .columns = {"row"}, .table = 0});
  return plan;
}

train::BatchKeys CountingStep::Prepare(const batch::MiniBatchView& batch) {
  return train::FindKeys(batch, plan_);
}

Result<train::StepResult> CountingStep::Run(const train::StepInput& input) {
  train::StepResult result;
  result.scores.info = input.batch.info();
  if (input.batch.info().purpose == batch::Purpose::kHoldout) return result;
  result.gradients.resize(1);
  result.gradients[0].resize(input.keys.unique[0].size(), 0);
  for (const uint32_t slot : input.keys.slots[0]) result.gradients[0][slot] -= 1;
  return result;
}

}  // namespace primus::sim
