// A tree → YAML in block style, two spaces a level. Strings are quoted where a reader of YAML 1.1
// or 1.2 would take them for something else. Pure.
#pragma once

#include <string>

#include "primus/config/node.h"

namespace primus::config {

std::string ToYaml(const Node& tree);

}  // namespace primus::config
