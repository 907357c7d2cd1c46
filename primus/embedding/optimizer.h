// How a gradient changes values: the seam of the slots tableOptimizers and denseOptimizers.
//
// A leaf under plugins/optimizers is one Optimizer and its factory. State stands beside the values
// in memory and in part files. Pure arithmetic, no state of its own: any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string_view>

#include "primus/base/result.h"
#include "primus/config/slot.h"

namespace primus::embedding {

// Rows of equal width to be updated in order; the same row may be there more than once.
struct RowUpdates {
  std::span<float* const> rows;      // each: `width` values, then StateSize(width) floats of state
  const float* gradients = nullptr;  // rows.size() × width, finite
  uint32_t width = 0;
  uint64_t step = 0;  // dense blocks: number of this update of the block, 1 the first; tables: 0
};

class Optimizer {
 public:
  virtual ~Optimizer() = default;
  // Floats of state of a row of `width` values.
  virtual uint32_t StateSize(uint32_t width) const = 0;
  virtual void InitialState(std::span<float> state) const = 0;
  virtual void Apply(const RowUpdates& updates) const = 0;
};

// From the plug-in's own message, serialised. kInvalidArgument names the field that is wrong.
using OptimizerMaker =
    std::function<Result<std::unique_ptr<const Optimizer>>(std::string_view options)>;
using OptimizerSlot = config::Slot<OptimizerMaker>;

// For a model without dense parameters.
class NoOptimizer final : public Optimizer {
 public:
  uint32_t StateSize(uint32_t) const override { return 0; }
  void InitialState(std::span<float>) const override {}
  void Apply(const RowUpdates&) const override {}
};

}  // namespace primus::embedding
