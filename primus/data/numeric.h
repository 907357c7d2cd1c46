// Arrow's number arrays by their C type. For .cc files of operators and encoders.
#pragma once

#include <arrow/array.h>
#include <arrow/type.h>
#include <arrow/type_traits.h>

#include <memory>
#include <string>

#include "primus/base/result.h"
#include "primus/data/arrow_status.h"

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

inline Status CheckNumbers(const std::string& column, const arrow::DataType& type) {
  if (IsNumberType(type)) return OkStatus();
  return InvalidArgumentError("expected a column of numbers; " + column + " is " + type.ToString());
}

// Calls visit(array) with `array` as its own class (arrow::Int8Array … arrow::DoubleArray) and
// returns what it does, a Status or Result; kInvalidArgument for other types.
template <class Visit>
auto VisitNumbers(const arrow::Array& array, Visit&& visit)
    -> decltype(visit(static_cast<const arrow::Int8Array&>(array))) {
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

// What `Builder` makes of fn(row, value), a Result, for each value; null stays null.
template <class Builder, class Array, class Fn>
Result<std::shared_ptr<arrow::Array>> MapValues(const Array& values, Fn&& fn) {
  Builder builder;
  PRIMUS_TRY(FromArrow(builder.Reserve(values.length())));
  for (int64_t row = 0; row < values.length(); ++row) {
    if (values.IsNull(row)) {
      builder.UnsafeAppendNull();
      continue;
    }
    PRIMUS_ASSIGN(const auto mapped, fn(row, values.Value(row)));
    builder.UnsafeAppend(mapped);
  }
  return FromArrow(builder.Finish());
}

// The same for an array of any numbers.
template <class Builder, class Fn>
Result<std::shared_ptr<arrow::Array>> MapNumbers(const arrow::Array& array, Fn&& fn) {
  return VisitNumbers(array, [&](const auto& values) { return MapValues<Builder>(values, fn); });
}

}  // namespace primus::data
