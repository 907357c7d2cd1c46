// One step of the counting network: minus one for each key of each row. The simulator's Step.
#pragma once

#include "primus/train/step.h"

namespace primus::sim {

jobspec::ModelPlan CountingPlan();

class CountingStep final : public train::Step {
 public:
  train::BatchKeys Prepare(const batch::MiniBatchView& batch) override;
  Result<train::StepResult> Run(const train::StepInput& input) override;

 private:
  jobspec::ModelPlan plan_ = CountingPlan();
};

}  // namespace primus::sim
