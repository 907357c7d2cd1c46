#include "primus/data/arrow_status.h"

namespace primus::data {

Status FromArrow(const arrow::Status& status) {
  if (status.ok()) return OkStatus();
  StatusCode code = StatusCode::kDataLoss;
  switch (status.code()) {
    case arrow::StatusCode::OutOfMemory:
    case arrow::StatusCode::CapacityError:
      code = StatusCode::kResourceExhausted;
      break;
    case arrow::StatusCode::NotImplemented:
      code = StatusCode::kUnimplemented;
      break;
    case arrow::StatusCode::Cancelled:
      code = StatusCode::kCancelled;
      break;
    case arrow::StatusCode::TypeError:
    case arrow::StatusCode::KeyError:
      code = StatusCode::kInvalidArgument;
      break;
    default:
      break;
  }
  return {code, status.message()};
}

}  // namespace primus::data
