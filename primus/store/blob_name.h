// Which names a blob may have: relative paths of parts in [A-Za-z0-9._-] (and no part that starts
// with a dot), parted by '/', at most 255 bytes. So a name is a path on every store and never
// leaves its root.
#pragma once

#include <string_view>

#include "primus/base/status.h"

namespace primus::store {

// kInvalidArgument, naming `name` and what is wrong with it.
Status CheckBlobName(std::string_view name);

}  // namespace primus::store
