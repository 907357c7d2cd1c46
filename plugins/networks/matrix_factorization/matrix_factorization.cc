#include "plugins/networks/matrix_factorization/matrix_factorization.h"

#include <utility>

#include "primus/train/fm_interaction.h"
#include "primus/train/linear_terms.h"
#include "primus/train/logit_network.h"

#include "plugins/networks/matrix_factorization/matrix_factorization.pb.h"

namespace primus::networks {

Result<std::unique_ptr<train::Network>> MakeMatrixFactorization(std::string_view options) {
  PRIMUS_ASSIGN(const MatrixFactorizationOptions parsed,
                config::ParseOptions<MatrixFactorizationOptions>(options));
  if (parsed.left().empty() || parsed.right().empty() || parsed.left() == parsed.right()) {
    return InvalidArgumentError("left and right: name two features");
  }
  train::NetworkNeeds needs;
  needs.features = {parsed.left(), parsed.right()};
  return std::unique_ptr<train::Network>(std::make_unique<train::LogitNetwork>(
      std::move(needs), train::Dims::kEqual, [](const train::InputShape& shape) {
        return train::PartsOf(std::make_unique<train::LinearTerms>(shape),
                              std::make_unique<train::FmInteraction>(shape));
      }));
}

void AddMatrixFactorization(train::NetworkSlot& slot) {
  slot.Add("matrixFactorization", MatrixFactorizationOptions::descriptor(),
           &MakeMatrixFactorization);
}

}  // namespace primus::networks
