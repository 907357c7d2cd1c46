#include "plugins/networks/deep_fm/deep_fm.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "primus/train/fm_interaction.h"
#include "primus/train/linear_terms.h"
#include "primus/train/logit_network.h"
#include "primus/train/tower.h"

#include "plugins/networks/deep_fm/deep_fm.pb.h"

namespace primus::networks {

Result<std::unique_ptr<train::Network>> MakeDeepFm(std::string_view options) {
  PRIMUS_ASSIGN(const DeepFmOptions parsed, config::ParseOptions<DeepFmOptions>(options));
  std::vector<uint32_t> hidden(parsed.hidden().begin(), parsed.hidden().end());
  if (std::ranges::find(hidden, 0U) != hidden.end()) {
    return InvalidArgumentError("hidden: a layer has at least one value");
  }
  train::NetworkNeeds needs;
  return std::unique_ptr<train::Network>(std::make_unique<train::LogitNetwork>(
      std::move(needs), train::Dims::kEqual, [hidden](const train::InputShape& shape) {
        return train::PartsOf(std::make_unique<train::LinearTerms>(shape),
                              std::make_unique<train::FmInteraction>(shape),
                              std::make_unique<train::Tower>(shape, hidden));
      }));
}

void AddDeepFm(train::NetworkSlot& slot) {
  slot.Add("deepFm", DeepFmOptions::descriptor(), &MakeDeepFm);
}

}  // namespace primus::networks
