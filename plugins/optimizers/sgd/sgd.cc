#include "plugins/optimizers/sgd/sgd.h"

#include "plugins/optimizers/sgd/sgd.pb.h"

namespace primus::optimizers {
namespace {

class Sgd final : public embedding::Optimizer {
 public:
  explicit Sgd(float learning_rate) : learning_rate_(learning_rate) {}

  uint32_t StateSize(uint32_t) const override { return 0; }
  void InitialState(std::span<float>) const override {}
  void Apply(const embedding::RowUpdates& updates) const override {
    const float* gradient = updates.gradients;
    for (float* const values : updates.rows) {
      for (uint32_t i = 0; i < updates.width; ++i) values[i] -= learning_rate_ * gradient[i];
      gradient += updates.width;
    }
  }

 private:
  const float learning_rate_;
};

}  // namespace

Result<std::unique_ptr<const embedding::Optimizer>> MakeSgd(std::string_view options) {
  PRIMUS_ASSIGN(const SgdOptions parsed, config::ParseOptions<SgdOptions>(options));
  if (!(parsed.learning_rate() > 0)) {
    return InvalidArgumentError("learningRate must be above 0");
  }
  return std::unique_ptr<const embedding::Optimizer>(
      std::make_unique<Sgd>(static_cast<float>(parsed.learning_rate())));
}

void AddSgd(embedding::OptimizerSlot* slot) {
  slot->Add("sgd", SgdOptions::descriptor(), &MakeSgd);
}

}  // namespace primus::optimizers
