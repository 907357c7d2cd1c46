#include "plugins/networks/factorization_machine/factorization_machine.h"

#include <utility>

#include "primus/train/fm_interaction.h"
#include "primus/train/linear_terms.h"
#include "primus/train/logit_network.h"

#include "plugins/networks/factorization_machine/factorization_machine.pb.h"

namespace primus::networks {

Result<std::unique_ptr<train::Network>> MakeFactorizationMachine(std::string_view options) {
  PRIMUS_TRY(config::ParseOptions<FactorizationMachineOptions>(options).status());
  train::NetworkNeeds needs;
  return std::unique_ptr<train::Network>(std::make_unique<train::LogitNetwork>(
      std::move(needs), train::Dims::kEqual, [](const train::InputShape& shape) {
        return train::PartsOf(std::make_unique<train::LinearTerms>(shape),
                              std::make_unique<train::FmInteraction>(shape));
      }));
}

void AddFactorizationMachine(train::NetworkSlot& slot) {
  slot.Add("factorizationMachine", FactorizationMachineOptions::descriptor(),
           &MakeFactorizationMachine);
}

}  // namespace primus::networks
