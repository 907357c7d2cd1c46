// Adagrad (Duchi et al. 2011) as PyTorch's torch.optim.Adagrad computes it, without decays:
//   sum += gradient²; value −= learningRate · gradient / (√sum + epsilon)
// State: one sum for each value. Single precision throughout.
#pragma once

#include <memory>
#include <string_view>

#include "primus/embedding/optimizer.h"

namespace primus::optimizers {

// `options`: a serialised AdagradOptions.
Result<std::unique_ptr<const embedding::Optimizer>> MakeAdagrad(std::string_view options);

// Adds the key `adagrad` to a slot.
void AddAdagrad(embedding::OptimizerSlot* slot);

}  // namespace primus::optimizers
