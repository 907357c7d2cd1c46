#include "plugins/optimizers/adam/adam.h"

#include <algorithm>
#include <cmath>

#include "plugins/optimizers/adam/adam.pb.h"

namespace primus::optimizers {
namespace {

class Adam final : public embedding::Optimizer {
 public:
  explicit Adam(const AdamOptions& options)
      : learning_rate_(options.learning_rate()),
        beta1_(options.beta1()),
        beta2_(options.beta2()),
        epsilon_(static_cast<float>(options.epsilon())) {}

  uint32_t StateSize(uint32_t width) const override { return 2 * width; }
  void InitialState(std::span<float> state) const override {
    std::fill(state.begin(), state.end(), 0.0F);
  }
  void Apply(const embedding::RowUpdates& updates) const override {
    const auto step = static_cast<double>(updates.step);
    const Corrections corrections{
        .rate = static_cast<float>(learning_rate_ / (1.0 - std::pow(beta1_, step))),
        .root = static_cast<float>(std::sqrt(1.0 - std::pow(beta2_, step)))};
    const float* gradient = updates.gradients;
    for (float* const row : updates.rows) {
      ApplyRow(row, gradient, updates.width, corrections);
      gradient += updates.width;
    }
  }

 private:
  // What makes up for the zeros that the means start with.
  struct Corrections {
    float rate;
    float root;
  };

  void ApplyRow(float* __restrict row, const float* __restrict gradient, uint32_t width,
                const Corrections& corrections) const {
    const auto rest1 = static_cast<float>(1.0 - beta1_);
    const auto keep2 = static_cast<float>(beta2_);
    const auto rest2 = static_cast<float>(1.0 - beta2_);
    float* means = row + width;
    float* squares = row + 2 * std::size_t{width};
    for (uint32_t i = 0; i < width; ++i) {
      means[i] += rest1 * (gradient[i] - means[i]);
      squares[i] = squares[i] * keep2 + rest2 * gradient[i] * gradient[i];
      const float scale = std::sqrt(squares[i]) / corrections.root + epsilon_;
      row[i] -= corrections.rate * (means[i] / scale);
    }
  }

  const double learning_rate_;
  const double beta1_;
  const double beta2_;
  const float epsilon_;
};

}  // namespace

Result<std::unique_ptr<const embedding::Optimizer>> MakeAdam(std::string_view options) {
  PRIMUS_ASSIGN(const AdamOptions parsed, config::ParseOptions<AdamOptions>(options));
  if (!(parsed.learning_rate() > 0)) return InvalidArgumentError("learningRate must be above 0");
  if (!(parsed.beta1() >= 0 && parsed.beta1() < 1)) {
    return InvalidArgumentError("beta1 must be at least 0 and below 1");
  }
  if (!(parsed.beta2() >= 0 && parsed.beta2() < 1)) {
    return InvalidArgumentError("beta2 must be at least 0 and below 1");
  }
  // A zero mean square and a zero mean would divide 0 by 0.
  if (!(static_cast<float>(parsed.epsilon()) > 0)) {
    return InvalidArgumentError("epsilon must be above 0");
  }
  return std::unique_ptr<const embedding::Optimizer>(std::make_unique<Adam>(parsed));
}

void AddAdam(embedding::OptimizerSlot* slot) {
  slot->Add("adam", AdamOptions::descriptor(), &MakeAdam);
}

}  // namespace primus::optimizers
