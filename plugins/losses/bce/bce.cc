#include "plugins/losses/bce/bce.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "plugins/losses/bce/bce.pb.h"

namespace primus::losses {
namespace {

class Bce final : public train::Loss {
 public:
  Status CheckLabel(float label) const override {
    if (label == 0.0F || label == 1.0F) return OkStatus();
    return InvalidArgumentError("a label is " + std::to_string(label) + ", not 0 or 1");
  }

  double Run(std::span<const float> logits, std::span<const float> labels,
             std::span<float> gradient) const override {
    double sum = 0;
    for (std::size_t i = 0; i < logits.size(); ++i) {
      const double z = logits[i];
      const double tail = std::exp(-std::abs(z));  // in (0, 1]
      sum += std::max(z, 0.0) - z * labels[i] + std::log1p(tail);
      const double sigmoid = (z >= 0 ? 1.0 : tail) / (1 + tail);
      gradient[i] = static_cast<float>(sigmoid - labels[i]);
    }
    return sum;
  }
};

}  // namespace

Result<std::unique_ptr<train::Loss>> MakeBce(std::string_view options) {
  PRIMUS_TRY(config::ParseOptions<BceOptions>(options).status());
  return std::unique_ptr<train::Loss>(std::make_unique<Bce>());
}

void AddBce(train::LossSlot& slot) { slot.Add("bce", BceOptions::descriptor(), &MakeBce); }

}  // namespace primus::losses
