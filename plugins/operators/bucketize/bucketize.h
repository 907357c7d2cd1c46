// Cuts numbers into buckets of equal width (bucketize.proto). NaN, infinity and ordinals beyond
// 64 bits are errors.
#pragma once

#include <memory>
#include <string_view>

#include "primus/data/operator.h"

namespace primus::operators {

Result<std::unique_ptr<data::Operator>> MakeBucketize(std::string_view options,
                                                      const data::OperatorContext& context);

// The line for apps/primus/plugins.cc: `bucketize`.
void AddBucketize(data::OperatorSlot& slot);

}  // namespace primus::operators
