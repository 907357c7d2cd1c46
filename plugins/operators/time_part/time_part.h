// A part of a point in time (time_part.proto): of a timestamp column, or of the integer column that
// is its source's event time, whose unit the job file gives.
#pragma once

#include <memory>
#include <string_view>

#include "primus/data/operator.h"

namespace primus::operators {

Result<std::unique_ptr<data::Operator>> MakeTimePart(std::string_view options,
                                                     const data::OperatorContext& context);

// The line for apps/primus/plugins.cc: `timePart`.
void AddTimePart(data::OperatorSlot& slot);

}  // namespace primus::operators
