#include "plugins/optimizers/adagrad/adagrad.h"

#include <algorithm>
#include <cmath>

#include "plugins/optimizers/adagrad/adagrad.pb.h"

namespace primus::optimizers {
namespace {

class Adagrad final : public embedding::Optimizer {
 public:
  explicit Adagrad(const AdagradOptions& options)
      : learning_rate_(static_cast<float>(options.learning_rate())),
        initial_(static_cast<float>(options.initial_accumulator())),
        epsilon_(static_cast<float>(options.epsilon())) {}

  uint32_t StateSize(uint32_t width) const override { return width; }
  void InitialState(std::span<float> state) const override {
    std::fill(state.begin(), state.end(), initial_);
  }
  void Apply(const embedding::RowUpdates& updates) const override {
    const float* gradient = updates.gradients;
    for (float* const row : updates.rows) {
      ApplyRow(row, row + updates.width, gradient, updates.width);
      gradient += updates.width;
    }
  }

 private:
  void ApplyRow(float* __restrict values, float* __restrict sums, const float* __restrict gradient,
                uint32_t width) const {
    for (uint32_t i = 0; i < width; ++i) {
      sums[i] += gradient[i] * gradient[i];
      values[i] -= learning_rate_ * (gradient[i] / (std::sqrt(sums[i]) + epsilon_));
    }
  }

  const float learning_rate_;
  const float initial_;
  const float epsilon_;
};

}  // namespace

Result<std::unique_ptr<const embedding::Optimizer>> MakeAdagrad(std::string_view options) {
  PRIMUS_ASSIGN(const AdagradOptions parsed, config::ParseOptions<AdagradOptions>(options));
  if (!(parsed.learning_rate() > 0)) return InvalidArgumentError("learningRate must be above 0");
  if (!(parsed.initial_accumulator() >= 0)) {
    return InvalidArgumentError("initialAccumulator must not be below 0");
  }
  // A zero sum and a zero gradient would divide 0 by 0.
  if (!(static_cast<float>(parsed.epsilon()) > 0)) {
    return InvalidArgumentError("epsilon must be above 0");
  }
  return std::unique_ptr<const embedding::Optimizer>(std::make_unique<Adagrad>(parsed));
}

void AddAdagrad(embedding::OptimizerSlot* slot) {
  slot->Add("adagrad", AdagradOptions::descriptor(), &MakeAdagrad);
}

}  // namespace primus::optimizers
