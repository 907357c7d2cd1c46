// Values that can be told apart exactly: what keys are made of and what joins compare. Integers,
// bools, dates and timestamps are 64-bit numbers; strings and binary are bytes. Floats are not
// discrete.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "primus/base/result.h"

namespace arrow {
class Array;
class DataType;
}  // namespace arrow

namespace primus::data {

bool IsDiscreteType(const arrow::DataType& type);

// Two columns can be compared when this is the same: "integer", "text", or the type itself where
// equal numbers need not mean equal things (uint64, bool, date32[day], …).
std::string ComparisonClass(const arrow::DataType& type);

struct DiscreteValues {
  bool is_text = false;
  std::vector<int64_t> numbers;         // unless is_text
  std::vector<std::string_view> texts;  // if is_text; point into the array
  std::vector<uint8_t> valid;           // 0: null

  std::size_t size() const { return valid.size(); }
};

// The values of `rows` of an array of discrete type (kInvalidArgument otherwise).
Result<DiscreteValues> ReadDiscrete(const arrow::Array& array, std::span<const int64_t> rows);

// Dictionary-encoded arrays as plain ones, others as they are; kDataLoss for broken indices.
Result<std::shared_ptr<arrow::Array>> DecodeDictionary(std::shared_ptr<arrow::Array> array);
// The type of what DecodeDictionary returns.
std::shared_ptr<arrow::DataType> DecodedType(const std::shared_ptr<arrow::DataType>& type);

}  // namespace primus::data
