// YAML text → Node. The only place that knows the YAML library.
//
// Limits hold whatever the text says: 1 MiB, 64 levels, 100 000 nodes with aliases copied out.
// Refused, each with its place: what is not UTF-8 or has control characters, tabs as indentation,
// syntax errors, duplicate keys, keys that are no text, tags, several documents, and nothing at
// all. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "primus/config/node.h"
#include "primus/config/problems.h"

namespace primus::config {

inline constexpr std::size_t kTextBytesMax = 1 << 20;
inline constexpr std::size_t kDepthMax = 64;
inline constexpr std::size_t kNodesMax = 100'000;

// `set` is 0 for a file, or the ordinal of the `--set` whose value this is. Nothing, with a problem
// added, when there is no tree to go on with; duplicate keys leave the first one in it.
std::optional<Node> ReadNode(std::string_view text, uint32_t set, Problems* problems);

}  // namespace primus::config
