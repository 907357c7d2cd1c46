// Compares a number with a bound (compare.proto). Exact for 64-bit integers; NaN is an error, since
// every answer about it would be an invention.
#pragma once

#include <memory>
#include <string_view>

#include "primus/data/operator.h"

namespace primus::operators {

Result<std::unique_ptr<data::Operator>> MakeCompare(std::string_view options,
                                                    const data::OperatorContext& context);

// The line for apps/primus/plugins.cc: `compare`.
void AddCompare(data::OperatorSlot& slot);

}  // namespace primus::operators
