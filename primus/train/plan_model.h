// From a job's spec to its model plan (jobspec/model_plan.h): the same in every role.
//
// Tables come in this order: those declared that a used feature names, the private ones of
// features in the order of the features, then the baselines' table. Features keep their declared
// order; what the network does not use is left out, so it is neither read nor pulled.
#pragma once

#include <memory>

#include "primus/base/result.h"
#include "primus/batch/encoded_rows.h"
#include "primus/config/slot.h"
#include "primus/jobspec/model_plan.h"
#include "primus/train/initializer.h"
#include "primus/train/network.h"
#include "primus/train/step.h"

namespace primus::config {
class JobSpec;
}

namespace primus::train {

struct TrainSlots {
  NetworkSlot networks{"networks"};
  LossSlot losses{"losses"};
  InitializerSlot initializers{"initializers"};
};

// The name of the baselines' table. It has no feature's name: those are identifiers.
inline constexpr std::string_view kBaselineTable = "baseline.counts";

// `spec` has its defaults. `table_optimizers` must hold `sgd` if baselines are asked for.
// kInvalidArgument has one line for each mistake, "<path>: <what is wrong>".
Result<jobspec::ModelPlan> PlanModel(const config::JobSpec& spec, const TrainSlots& slots,
                                     const config::SlotKeys& table_optimizers);

// The features as batches carry them.
batch::Layout LayoutOf(const jobspec::ModelPlan& plan);

// The step of a job whose plan is `plan`. One for each step that may run at a time.
Result<std::unique_ptr<Step>> MakeStep(const config::JobSpec& spec, const jobspec::ModelPlan& plan,
                                       const TrainSlots& slots);

}  // namespace primus::train
