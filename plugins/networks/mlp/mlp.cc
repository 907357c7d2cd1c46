#include "plugins/networks/mlp/mlp.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "primus/train/logit_network.h"
#include "primus/train/tower.h"

#include "plugins/networks/mlp/mlp.pb.h"

namespace primus::networks {

Result<std::unique_ptr<train::Network>> MakeMlp(std::string_view options) {
  PRIMUS_ASSIGN(const MlpOptions parsed, config::ParseOptions<MlpOptions>(options));
  std::vector<uint32_t> hidden(parsed.hidden().begin(), parsed.hidden().end());
  if (std::ranges::find(hidden, 0U) != hidden.end()) {
    return InvalidArgumentError("hidden: a layer has at least one value");
  }
  train::NetworkNeeds needs;
  needs.first_order = false;
  return std::unique_ptr<train::Network>(std::make_unique<train::LogitNetwork>(
      std::move(needs), train::Dims::kAny, [hidden](const train::InputShape& shape) {
        return train::PartsOf(std::make_unique<train::Tower>(shape, hidden));
      }));
}

void AddMlp(train::NetworkSlot& slot) { slot.Add("mlp", MlpOptions::descriptor(), &MakeMlp); }

}  // namespace primus::networks
