// How large a slot of a hand-over must be for any batch of a job.
#pragma once

#include <cstdint>

#include "primus/jobspec/model_plan.h"

namespace primus::executor {

// Bytes that a batch of `rows_max` rows takes at most, with the most spans and keys it can have:
// one key for a category, one for each column of a multi-hot.
uint64_t SlotBytes(const jobspec::ModelPlan& plan, uint32_t rows_max);

}  // namespace primus::executor
