#include "primus/data/feature_encoder.h"

#include <arrow/array.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>
#include <utility>

#include "primus/data/discrete_values.h"
#include "primus/data/numeric.h"

namespace primus::data {
namespace {

using jobspec::FeatureSource;

Status ValueError(const RowSelection& selection, int64_t row, const std::string& column,
                  const std::string& complaint) {
  return InvalidArgumentError(selection.origin->At(row) + ": column " + column + " " + complaint);
}

Result<std::shared_ptr<arrow::Array>> Column(const RowSelection& selection,
                                             const std::string& name) {
  std::shared_ptr<arrow::Array> column = selection.batch->GetColumnByName(name);
  if (column == nullptr) return InternalError("column " + name + " was not read");
  return column;
}

bool IsFlagType(const arrow::DataType& type) {
  return type.id() == arrow::Type::BOOL || IsNumberType(type);
}

template <class Value>
bool IsNan(Value value) {
  if constexpr (std::is_floating_point_v<Value>) {
    return std::isnan(value);
  } else {
    return false;
  }
}

// Calls visit(array) for bools and numbers alike.
template <class Visit>
Status VisitFlags(const arrow::Array& array, Visit&& visit) {
  if (array.type_id() == arrow::Type::BOOL) {
    return visit(static_cast<const arrow::BooleanArray&>(array));
  }
  return VisitNumbers(array, visit);
}

std::size_t CountSet(const std::vector<uint8_t>& flags) {
  return static_cast<std::size_t>(std::count(flags.begin(), flags.end(), 1));
}

// Offsets of a feature's keys are 32-bit numbers.
Status CheckKeyCount(std::size_t keys) {
  if (keys > std::numeric_limits<uint32_t>::max()) {
    return ResourceExhaustedError(
        "a task has more than 2^32 keys of one feature; use smaller files");
  }
  return OkStatus();
}

}  // namespace

Status CheckFeatureType(const jobspec::FeatureSpec& feature, const std::string& column,
                        const arrow::DataType& type) {
  const std::string what = "column " + column + " is " + type.ToString() + "; ";
  switch (feature.source) {
    case FeatureSource::kCategory:
      if (IsDiscreteType(type)) return OkStatus();
      if (IsFloatType(type)) {
        return InvalidArgumentError(what +
                                    "a float cannot be a category: bucketize it, or use dense");
      }
      return InvalidArgumentError(what + "a category needs integers, strings, bools or dates");
    case FeatureSource::kMultiHot:
      if (IsFlagType(type)) return OkStatus();
      return InvalidArgumentError(what + "a multi-hot needs bools or numbers");
    case FeatureSource::kDense:
      if (IsFlagType(type)) return OkStatus();
      return InvalidArgumentError(what + "a dense feature needs numbers");
  }
  return InternalError("unknown kind of feature");
}

Status CheckLabelType(const std::string& column, const arrow::DataType& type) {
  if (IsFlagType(type)) return OkStatus();
  return InvalidArgumentError("column " + column + " is " + type.ToString() +
                              "; a label needs bools or numbers, each 0 or 1");
}

FeatureEncoder::FeatureEncoder(jobspec::FeatureSpec spec, const std::string& table)
    : spec_(std::move(spec)), table_(table) {
  if (spec_.source != FeatureSource::kMultiHot) return;
  for (const std::string& column : spec_.columns) hot_.push_back(table_.OfText(column));
}

Status FeatureEncoder::AppendKeys(const RowSelection& selection, batch::KeyColumn& keys) const {
  if (keys.offsets.empty()) keys.offsets.push_back(0);
  if (spec_.source == FeatureSource::kMultiHot) return AppendMultiHot(selection, keys);
  return AppendCategory(selection, keys);
}

Status FeatureEncoder::AppendCategory(const RowSelection& selection, batch::KeyColumn& keys) const {
  PRIMUS_ASSIGN(const auto column, Column(selection, spec_.columns.front()));
  PRIMUS_ASSIGN(const DiscreteValues values, ReadDiscrete(*column, selection.rows));
  PRIMUS_TRY(CheckKeyCount(keys.keys.size() + CountSet(values.valid)));
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values.valid[i] != 0) {
      keys.keys.push_back(values.is_text ? table_.OfText(values.texts[i])
                                         : table_.OfInteger(values.numbers[i]));
    }
    keys.offsets.push_back(static_cast<uint32_t>(keys.keys.size()));
  }
  return OkStatus();
}

Status FeatureEncoder::AppendMultiHot(const RowSelection& selection, batch::KeyColumn& keys) const {
  const std::size_t width = spec_.columns.size();
  std::vector<uint8_t> hot(selection.rows.size() * width, 0);
  for (std::size_t c = 0; c < width; ++c) {
    PRIMUS_ASSIGN(const auto column, Column(selection, spec_.columns[c]));
    PRIMUS_TRY(VisitFlags(*column, [&](const auto& flags) -> Status {
      for (std::size_t i = 0; i < selection.rows.size(); ++i) {
        const int64_t row = selection.rows[i];
        if (flags.IsNull(row)) continue;
        const auto value = flags.Value(row);
        if (IsNan(value)) return ValueError(selection, row, spec_.columns[c], "is NaN");
        hot[i * width + c] = value != 0 ? 1 : 0;
      }
      return OkStatus();
    }));
  }
  PRIMUS_TRY(CheckKeyCount(keys.keys.size() + CountSet(hot)));
  for (std::size_t i = 0; i < selection.rows.size(); ++i) {
    for (std::size_t c = 0; c < width; ++c) {
      if (hot[i * width + c] != 0) keys.keys.push_back(hot_[c]);
    }
    keys.offsets.push_back(static_cast<uint32_t>(keys.keys.size()));
  }
  return OkStatus();
}

Status FeatureEncoder::AppendDense(const RowSelection& selection,
                                   std::vector<float>& values) const {
  const std::string& name = spec_.columns.front();
  PRIMUS_ASSIGN(const auto column, Column(selection, name));
  const auto missing = static_cast<float>(spec_.missing);
  return VisitFlags(*column, [&](const auto& numbers) -> Status {
    for (const int64_t row : selection.rows) {
      if (numbers.IsNull(row)) {
        if (!spec_.has_missing) {
          return ValueError(selection, row, name,
                            "is null, and feature " + spec_.name + " gives no value for missing");
        }
        values.push_back(missing);
        continue;
      }
      const auto value = static_cast<float>(numbers.Value(row));
      if (!std::isfinite(value)) {
        return ValueError(
            selection, row, name,
            "is " + std::to_string(numbers.Value(row)) + ", which is no finite float");
      }
      values.push_back(value);
    }
    return OkStatus();
  });
}

Status AppendLabels(const RowSelection& selection, const std::string& column,
                    std::vector<float>& labels) {
  PRIMUS_ASSIGN(const auto array, Column(selection, column));
  return VisitFlags(*array, [&](const auto& values) -> Status {
    for (const int64_t row : selection.rows) {
      if (values.IsNull(row)) {
        return ValueError(selection, row, column, "is null; a label is 0 or 1");
      }
      const auto value = values.Value(row);
      if (!(value == 0 || value == 1)) {
        return ValueError(selection, row, column,
                          "is " + std::to_string(value) +
                              "; a label is 0 or 1 (the operator compare makes one of a number)");
      }
      labels.push_back(value == 1 ? 1.0F : 0.0F);
    }
    return OkStatus();
  });
}

}  // namespace primus::data
