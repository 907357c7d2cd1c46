// A seed in a process of its own: a crash is the failure of that seed, not of all.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "primus/sim/seeded_run.h"

namespace primus::sim {

RunReport RunSeedApart(uint64_t seed, const std::function<void(std::string_view)>& log);

}  // namespace primus::sim
