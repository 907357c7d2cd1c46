#include "plugins/operators/time_part/time_part.h"

#include <arrow/array.h>
#include <arrow/array/builder_primitive.h>
#include <arrow/type.h>

#include <utility>

#include "primus/data/arrow_status.h"
#include "primus/data/numeric.h"

#include "plugins/operators/time_part/time_part.pb.h"

namespace primus::operators {
namespace {

int64_t PerSecond(data::EventUnit unit) {
  switch (unit) {
    case data::EventUnit::kSecond:
      return 1;
    case data::EventUnit::kMillisecond:
      return 1000;
    case data::EventUnit::kMicrosecond:
      return 1000000;
    case data::EventUnit::kNanosecond:
      return 1000000000;
  }
  return 1;
}

int64_t PerSecond(arrow::TimeUnit::type unit) {
  switch (unit) {
    case arrow::TimeUnit::SECOND:
      return 1;
    case arrow::TimeUnit::MILLI:
      return 1000;
    case arrow::TimeUnit::MICRO:
      return 1000000;
    case arrow::TimeUnit::NANO:
      return 1000000000;
  }
  return 1;
}

// Of the floor, so that times before 1970 are right too.
int64_t HourOf(int64_t time, int64_t per_second) {
  const int64_t day = 86400 * per_second;
  const int64_t in_day = (time % day + day) % day;
  return in_day / (3600 * per_second);
}

class HourPart final : public data::Operator {
 public:
  HourPart(const TimePartOptions& options, const data::OperatorContext& context)
      : inputs_{options.column()},
        output_(options.into()),
        is_event_time_(options.column() == context.event_time_column),
        per_second_(PerSecond(context.event_time_unit)) {}

  const std::vector<std::string>& inputs() const override { return inputs_; }
  const std::string& output() const override { return output_; }

  Result<std::shared_ptr<arrow::DataType>> Check(
      const std::vector<std::shared_ptr<arrow::DataType>>& types) const override {
    const arrow::DataType& type = *types.front();
    if (type.id() == arrow::Type::TIMESTAMP) return arrow::int64();
    if (!IsCount(type)) {
      return InvalidArgumentError("timePart needs a timestamp or integer column; " +
                                  inputs_.front() + " is " + type.ToString());
    }
    if (is_event_time_) return arrow::int64();
    return InvalidArgumentError("timePart cannot know the unit of " + inputs_.front() + " (" +
                                type.ToString() +
                                "): it is neither a timestamp nor its source's eventTime");
  }

  Result<std::shared_ptr<arrow::Array>> Apply(
      const std::vector<std::shared_ptr<arrow::Array>>& columns,
      const data::RowOrigin& /*origin*/) const override {
    const arrow::Array& column = *columns.front();
    arrow::Int64Builder builder;
    PRIMUS_TRY(data::FromArrow(builder.Reserve(column.length())));
    if (column.type_id() == arrow::Type::TIMESTAMP) {
      const auto& type = static_cast<const arrow::TimestampType&>(*column.type());
      Append(static_cast<const arrow::TimestampArray&>(column), PerSecond(type.unit()), builder);
    } else if (column.type_id() == arrow::Type::INT64) {
      Append(static_cast<const arrow::Int64Array&>(column), per_second_, builder);
    } else {
      Append(static_cast<const arrow::Int32Array&>(column), per_second_, builder);
    }
    return data::FromArrow(builder.Finish());
  }

 private:
  static bool IsCount(const arrow::DataType& type) {
    return type.id() == arrow::Type::INT64 || type.id() == arrow::Type::INT32;
  }

  template <class Array>
  static void Append(const Array& times, int64_t per_second, arrow::Int64Builder& builder) {
    for (int64_t row = 0; row < times.length(); ++row) {
      if (times.IsNull(row)) {
        builder.UnsafeAppendNull();
      } else {
        builder.UnsafeAppend(HourOf(times.Value(row), per_second));
      }
    }
  }

  std::vector<std::string> inputs_;
  std::string output_;
  bool is_event_time_;
  int64_t per_second_;
};

}  // namespace

Result<std::unique_ptr<data::Operator>> MakeTimePart(std::string_view options,
                                                     const data::OperatorContext& context) {
  TimePartOptions parsed;
  if (!parsed.ParseFromArray(options.data(), static_cast<int>(options.size()))) {
    return InvalidArgumentError("options of operator timePart cannot be parsed");
  }
  if (parsed.column().empty() || parsed.into().empty()) {
    return InvalidArgumentError("timePart needs column and into");
  }
  if (parsed.part() != Hour) return InvalidArgumentError("timePart needs part: Hour");
  return std::unique_ptr<data::Operator>(std::make_unique<HourPart>(parsed, context));
}

void AddTimePart(data::OperatorSlot& slot) {
  slot.Add("timePart", TimePartOptions::descriptor(), &MakeTimePart);
}

}  // namespace primus::operators
