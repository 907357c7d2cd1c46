// Binary cross entropy: −log σ(z) for label 1, −log(1 − σ(z)) for label 0, from the logit itself,
// so that nothing overflows.
#pragma once

#include <memory>
#include <string_view>

#include "primus/train/loss.h"

namespace primus::losses {

Result<std::unique_ptr<train::Loss>> MakeBce(std::string_view options);

// The line for apps/primus/plugins.cc: `bce`.
void AddBce(train::LossSlot& slot);

}  // namespace primus::losses
