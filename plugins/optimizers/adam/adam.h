// Adam (Kingma and Ba 2015) as PyTorch's torch.optim.Adam computes it, without weight decay, for
// dense parameters. With t = number of this update of the block (saved with it):
//   m += (1 − beta1)(gradient − m); v = beta2 · v + (1 − beta2) · gradient²
//   value −= learningRate / (1 − beta1^t) · m / (√v / √(1 − beta2^t) + epsilon)
// State: all m, then all v. Single precision but for the corrections.
#pragma once

#include <memory>
#include <string_view>

#include "primus/embedding/optimizer.h"

namespace primus::optimizers {

// `options`: a serialised AdamOptions.
Result<std::unique_ptr<const embedding::Optimizer>> MakeAdam(std::string_view options);

// Adds the key `adam` to a slot.
void AddAdam(embedding::OptimizerSlot* slot);

}  // namespace primus::optimizers
