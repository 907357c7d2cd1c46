#include "plugins/operators/time_part/time_part.h"

#include <arrow/array.h>
#include <arrow/array/builder_primitive.h>
#include <arrow/type.h>

#include <utility>

#include "primus/data/numeric.h"
#include "primus/data/time_unit.h"

#include "plugins/operators/time_part/time_part.pb.h"

namespace primus::operators {
namespace {

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
        event_time_unit_(context.event_time_unit) {}

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
    if (column.type_id() == arrow::Type::TIMESTAMP) {
      const auto& type = static_cast<const arrow::TimestampType&>(*column.type());
      return Hours(static_cast<const arrow::TimestampArray&>(column), type.unit());
    }
    if (column.type_id() == arrow::Type::INT64) {
      return Hours(static_cast<const arrow::Int64Array&>(column), event_time_unit_);
    }
    return Hours(static_cast<const arrow::Int32Array&>(column), event_time_unit_);
  }

 private:
  static bool IsCount(const arrow::DataType& type) {
    return type.id() == arrow::Type::INT64 || type.id() == arrow::Type::INT32;
  }

  template <class Array>
  static Result<std::shared_ptr<arrow::Array>> Hours(const Array& times,
                                                     arrow::TimeUnit::type unit) {
    const int64_t per_second = data::NanosOf(arrow::TimeUnit::SECOND) / data::NanosOf(unit);
    const auto hour_of = [per_second](int64_t /*row*/, int64_t time) -> Result<int64_t> {
      return HourOf(time, per_second);
    };
    return data::MapValues<arrow::Int64Builder>(times, hour_of);
  }

  std::vector<std::string> inputs_;
  std::string output_;
  bool is_event_time_;
  arrow::TimeUnit::type event_time_unit_;
};

}  // namespace

Result<std::unique_ptr<data::Operator>> MakeTimePart(std::string_view options,
                                                     const data::OperatorContext& context) {
  PRIMUS_ASSIGN(const TimePartOptions parsed, data::ParseColumnOptions<TimePartOptions>(options));
  if (parsed.part() != Hour) return InvalidArgumentError("timePart needs part: Hour");
  return std::unique_ptr<data::Operator>(std::make_unique<HourPart>(parsed, context));
}

void AddTimePart(data::OperatorSlot& slot) {
  slot.Add("timePart", TimePartOptions::descriptor(), &MakeTimePart);
}

}  // namespace primus::operators
