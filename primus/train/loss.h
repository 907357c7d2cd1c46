// How wrong a batch's logits are: the seam of plugins/losses.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "primus/base/result.h"
#include "primus/config/slot.h"

namespace primus::train {

class Loss {
 public:
  virtual ~Loss() = default;
  // OK if it can learn from this label.
  virtual Status CheckLabel(float label) const = 0;
  // The sum of the rows' losses; `gradient[i]` is that of row i's loss by its logit. So dense
  // parameters, whose gradient is a mean, are divided by the number of rows, and tables are not.
  virtual double Run(std::span<const float> logits, std::span<const float> labels,
                     std::span<float> gradient) const = 0;
};

// From the plug-in's own message, serialised.
using LossFactory = std::function<Result<std::unique_ptr<Loss>>(std::string_view options)>;
using LossSlot = config::Slot<LossFactory>;  // "losses"

}  // namespace primus::train
