// Units that integers count time in.
#pragma once

#include <arrow/type_fwd.h>

#include <cstdint>

namespace primus::data {

constexpr int64_t NanosOf(arrow::TimeUnit::type unit) {
  switch (unit) {
    case arrow::TimeUnit::SECOND:
      return 1000000000;
    case arrow::TimeUnit::MILLI:
      return 1000000;
    case arrow::TimeUnit::MICRO:
      return 1000;
    case arrow::TimeUnit::NANO:
      return 1;
  }
  return 1;
}

}  // namespace primus::data
