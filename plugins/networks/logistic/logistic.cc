#include "plugins/networks/logistic/logistic.h"

#include <utility>

#include "primus/train/linear_terms.h"
#include "primus/train/logit_network.h"

#include "plugins/networks/logistic/logistic.pb.h"

namespace primus::networks {

Result<std::unique_ptr<train::Network>> MakeLogistic(std::string_view options) {
  PRIMUS_TRY(config::ParseOptions<LogisticOptions>(options).status());
  train::NetworkNeeds needs;
  return std::unique_ptr<train::Network>(std::make_unique<train::LogitNetwork>(
      std::move(needs), train::Dims::kAny, [](const train::InputShape& shape) {
        return train::PartsOf(std::make_unique<train::LinearTerms>(shape));
      }));
}

void AddLogistic(train::NetworkSlot& slot) {
  slot.Add("logistic", LogisticOptions::descriptor(), &MakeLogistic);
}

}  // namespace primus::networks
