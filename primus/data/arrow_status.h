// Arrow's Status and Result as ours. For .cc files that call Arrow.
#pragma once

#include <arrow/result.h>
#include <arrow/status.h>

#include <utility>

#include "primus/base/result.h"

namespace primus::data {

// The nearest of our codes with Arrow's message; OK stays OK.
Status FromArrow(const arrow::Status& status);

template <class T>
Result<T> FromArrow(arrow::Result<T> result) {
  if (!result.ok()) return FromArrow(result.status());
  return std::move(result).ValueUnsafe();
}

}  // namespace primus::data
