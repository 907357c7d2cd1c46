// The step of a real model: its network, the baselines, and the guard against values that are not
// finite.
#pragma once

#include <memory>
#include <optional>

#include "primus/jobspec/model_plan.h"
#include "primus/train/baselines.h"
#include "primus/train/model.h"
#include "primus/train/step.h"

namespace primus::train {

class ModelStep final : public Step {
 public:
  ModelStep(jobspec::ModelPlan plan, std::unique_ptr<Model> model);

  BatchKeys Prepare(const batch::MiniBatchView& batch) override;
  Result<StepResult> Run(const StepInput& input) override;

 private:
  Status CheckInput(const StepInput& input) const;
  Status CheckGradients(const StepResult& result) const;
  void AddBaselines(const StepInput& input, StepResult* result) const;

  jobspec::ModelPlan plan_;
  std::unique_ptr<Model> model_;
  std::optional<Baselines> baselines_;
};

}  // namespace primus::train
