// Kubernetes quantities: `500m` and `2` of processors, `512Mi`, `4Gi`, `1G` of bytes.
#pragma once

#include <cstdint>
#include <string_view>

#include "primus/base/result.h"

namespace primus::config {

// In thousandths of a core. kInvalidArgument says what was expected.
Result<int64_t> ParseCpuMillis(std::string_view text);

// In bytes. kInvalidArgument says what was expected; fractions of a byte are refused.
Result<uint64_t> ParseByteSize(std::string_view text);

}  // namespace primus::config
