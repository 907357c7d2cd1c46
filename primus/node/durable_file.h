// Whole files, written so that a reader sees the old one or the new one.
#pragma once

#include <string>
#include <string_view>

#include "primus/base/result.h"

namespace primus::node {

// Makes the folder, if need be, and replaces the file. On disk when it returns OK. An error names
// the file and leaves what was there.
Status WriteDurably(const std::string& path, std::string_view bytes);

}  // namespace primus::node
