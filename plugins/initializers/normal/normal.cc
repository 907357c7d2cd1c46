#include "plugins/initializers/normal/normal.h"

#include "plugins/initializers/normal/normal.pb.h"

namespace primus::initializers {

Result<double> NormalStd(std::string_view options) {
  PRIMUS_ASSIGN(const NormalOptions parsed, config::ParseOptions<NormalOptions>(options));
  const double std = parsed.has_std() ? parsed.std() : 0.01;
  if (!(std >= 0 && std <= 1000)) return InvalidArgumentError("normal: std is between 0 and 1000");
  return std;
}

void AddNormal(train::InitializerSlot& slot) {
  slot.Add("normal", NormalOptions::descriptor(), &NormalStd);
}

}  // namespace primus::initializers
