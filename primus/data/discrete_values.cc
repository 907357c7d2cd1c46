#include "primus/data/discrete_values.h"

#include <arrow/array.h>
#include <arrow/compute/api_vector.h>
#include <arrow/datum.h>
#include <arrow/type.h>

#include <type_traits>

#include "primus/data/arrow_status.h"
#include "primus/data/numeric.h"

namespace primus::data {
namespace {

bool IsTextType(const arrow::DataType& type) {
  switch (type.id()) {
    case arrow::Type::STRING:
    case arrow::Type::LARGE_STRING:
    case arrow::Type::BINARY:
    case arrow::Type::LARGE_BINARY:
      return true;
    default:
      return false;
  }
}

template <class Array>
void ReadNumbers(const Array& array, std::span<const int64_t> rows, DiscreteValues& values) {
  values.numbers.resize(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    values.numbers[i] = static_cast<int64_t>(array.Value(rows[i]));
  }
}

template <class Array>
void ReadTexts(const Array& array, std::span<const int64_t> rows, DiscreteValues& values) {
  values.texts.resize(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) values.texts[i] = array.GetView(rows[i]);
}

Status ReadIntegers(const arrow::Array& array, std::span<const int64_t> rows,
                    DiscreteValues& values) {
  return VisitNumbers(array, [&](const auto& typed) -> Status {
    using Value = typename std::decay_t<decltype(typed)>::value_type;
    if constexpr (std::is_floating_point_v<Value>) {
      return InvalidArgumentError("floats cannot be told apart exactly");
    } else {
      ReadNumbers(typed, rows, values);
      return OkStatus();
    }
  });
}

}  // namespace

bool IsDiscreteType(const arrow::DataType& type) {
  if (IsIntegerType(type) || IsTextType(type)) return true;
  switch (type.id()) {
    case arrow::Type::BOOL:
    case arrow::Type::DATE32:
    case arrow::Type::DATE64:
    case arrow::Type::TIMESTAMP:
      return true;
    default:
      return false;
  }
}

std::string ComparisonClass(const arrow::DataType& type) {
  if (IsTextType(type)) return "text";
  if (IsIntegerType(type) && type.id() != arrow::Type::UINT64) return "integer";
  return type.ToString();
}

Result<DiscreteValues> ReadDiscrete(const arrow::Array& array, std::span<const int64_t> rows) {
  DiscreteValues values;
  values.valid.resize(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) values.valid[i] = array.IsValid(rows[i]) ? 1 : 0;
  values.is_text = IsTextType(*array.type());
  switch (array.type_id()) {
    case arrow::Type::STRING:
    case arrow::Type::BINARY:
      ReadTexts(static_cast<const arrow::BinaryArray&>(array), rows, values);
      return values;
    case arrow::Type::LARGE_STRING:
    case arrow::Type::LARGE_BINARY:
      ReadTexts(static_cast<const arrow::LargeBinaryArray&>(array), rows, values);
      return values;
    case arrow::Type::BOOL:
      ReadNumbers(static_cast<const arrow::BooleanArray&>(array), rows, values);
      return values;
    case arrow::Type::DATE32:
      ReadNumbers(static_cast<const arrow::Date32Array&>(array), rows, values);
      return values;
    case arrow::Type::DATE64:
      ReadNumbers(static_cast<const arrow::Date64Array&>(array), rows, values);
      return values;
    case arrow::Type::TIMESTAMP:
      ReadNumbers(static_cast<const arrow::TimestampArray&>(array), rows, values);
      return values;
    default:
      PRIMUS_TRY(ReadIntegers(array, rows, values));
      return values;
  }
}

Result<std::shared_ptr<arrow::Array>> DecodeDictionary(std::shared_ptr<arrow::Array> array) {
  if (array->type_id() != arrow::Type::DICTIONARY) return array;
  const auto& encoded = static_cast<const arrow::DictionaryArray&>(*array);
  PRIMUS_ASSIGN(const arrow::Datum taken,
                FromArrow(arrow::compute::Take(encoded.dictionary(), encoded.indices(),
                                               arrow::compute::TakeOptions::BoundsCheck())));
  return taken.make_array();
}

std::shared_ptr<arrow::DataType> DecodedType(const std::shared_ptr<arrow::DataType>& type) {
  if (type->id() != arrow::Type::DICTIONARY) return type;
  return static_cast<const arrow::DictionaryType&>(*type).value_type();
}

}  // namespace primus::data
