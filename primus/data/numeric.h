// Arrow's number arrays by their C type. For .cc files of operators and encoders.
#pragma once

#include <arrow/array.h>
#include <arrow/type.h>
#include <arrow/type_traits.h>

#include <utility>

#include "primus/base/result.h"

namespace primus::data {

// Integers of any width and sign.
inline bool IsIntegerType(const arrow::DataType& type) { return arrow::is_integer(type.id()); }
// float and double.
inline bool IsFloatType(const arrow::DataType& type) {
  return type.id() == arrow::Type::FLOAT || type.id() == arrow::Type::DOUBLE;
}
inline bool IsNumberType(const arrow::DataType& type) {
  return IsIntegerType(type) || IsFloatType(type);
}

// Calls visit(array) with `array` as its own class (arrow::Int8Array … arrow::DoubleArray) and
// returns its Status; kInvalidArgument for other types.
template <class Visit>
Status VisitNumbers(const arrow::Array& array, Visit&& visit) {
  switch (array.type_id()) {
    case arrow::Type::INT8:
      return visit(static_cast<const arrow::Int8Array&>(array));
    case arrow::Type::INT16:
      return visit(static_cast<const arrow::Int16Array&>(array));
    case arrow::Type::INT32:
      return visit(static_cast<const arrow::Int32Array&>(array));
    case arrow::Type::INT64:
      return visit(static_cast<const arrow::Int64Array&>(array));
    case arrow::Type::UINT8:
      return visit(static_cast<const arrow::UInt8Array&>(array));
    case arrow::Type::UINT16:
      return visit(static_cast<const arrow::UInt16Array&>(array));
    case arrow::Type::UINT32:
      return visit(static_cast<const arrow::UInt32Array&>(array));
    case arrow::Type::UINT64:
      return visit(static_cast<const arrow::UInt64Array&>(array));
    case arrow::Type::FLOAT:
      return visit(static_cast<const arrow::FloatArray&>(array));
    case arrow::Type::DOUBLE:
      return visit(static_cast<const arrow::DoubleArray&>(array));
    default:
      return InvalidArgumentError("type " + array.type()->ToString() + " is not a number");
  }
}

}  // namespace primus::data
