// Stochastic gradient descent: value −= learningRate · gradient. No state.
#pragma once

#include <memory>
#include <string_view>

#include "primus/embedding/optimizer.h"

namespace primus::optimizers {

// `options`: a serialised SgdOptions.
Result<std::unique_ptr<const embedding::Optimizer>> MakeSgd(std::string_view options);

// Adds the key `sgd` to a slot.
void AddSgd(embedding::OptimizerSlot* slot);

}  // namespace primus::optimizers
