// The name of this build: in every Hello, and what `primus version` prints.
#pragma once

#include <string_view>

namespace primus::apps {

inline constexpr std::string_view kBuild = PRIMUS_BUILD;

}  // namespace primus::apps
