#include "plugins/operators/time_part/time_part.h"

#include <arrow/array.h>
#include <arrow/json/from_string.h>
#include <arrow/type.h>
#include <gtest/gtest.h>

#include "primus/data/operator_conformance.h"

#include "plugins/operators/time_part/time_part.pb.h"

namespace primus::operators {
namespace {

using arrow::TimeUnit;

std::string Options() {
  TimePartOptions options;
  options.set_column("time");
  options.set_part(Hour);
  options.set_into("hour");
  return options.SerializeAsString();
}

data::OperatorSubject TimePartSubject() {
  return {&MakeTimePart,
          Options(),
          {"time", TimeUnit::SECOND},
          {arrow::json::ArrayFromJSONString(arrow::int64(), "[0, 3600, 86399, -1]").ValueOrDie()},
          arrow::float64()};
}

int64_t HourOf(TimeUnit::type unit, const std::shared_ptr<arrow::DataType>& type,
               const std::string& json) {
  const auto made = MakeTimePart(Options(), {"time", unit});
  EXPECT_TRUE(made.ok());
  const auto column = arrow::json::ArrayFromJSONString(type, json).ValueOrDie();
  const auto output = (*made)->Apply({column}, data::RowOrigin("a.parquet", 0));
  EXPECT_TRUE(output.ok()) << output.status().ToString();
  return static_cast<const arrow::Int64Array&>(**output).Value(0);
}

TEST(TimePart, HourCountsInTheUnitOfTheEventTime) {
  EXPECT_EQ(HourOf(TimeUnit::SECOND, arrow::int64(), "[881250949]"), 15);
  EXPECT_EQ(HourOf(TimeUnit::MILLI, arrow::int64(), "[881250949000]"), 15);
  EXPECT_EQ(HourOf(TimeUnit::NANO, arrow::int64(), "[881250949000000000]"), 15);
  EXPECT_EQ(HourOf(TimeUnit::SECOND, arrow::int32(), "[3599]"), 0);
}

TEST(TimePart, HoursBefore1970AreRight) {
  EXPECT_EQ(HourOf(TimeUnit::SECOND, arrow::int64(), "[-1]"), 23);
  EXPECT_EQ(HourOf(TimeUnit::SECOND, arrow::int64(), "[-86400]"), 0);
  EXPECT_EQ(HourOf(TimeUnit::NANO, arrow::int64(), "[-9223372036854775808]"), 0);
}

TEST(TimePart, ATimestampHasItsOwnUnit) {
  EXPECT_EQ(HourOf(TimeUnit::SECOND, arrow::timestamp(TimeUnit::MILLI), "[7200000]"), 2);
}

TEST(TimePart, AnIntegerThatIsNoEventTimeHasNoUnit) {
  const auto made = MakeTimePart(Options(), {"other", TimeUnit::SECOND});
  ASSERT_TRUE(made.ok());
  const auto checked = (*made)->Check({arrow::int64()});
  ASSERT_FALSE(checked.ok());
  EXPECT_NE(checked.status().message().find("cannot know the unit of time"), std::string::npos);
}

}  // namespace
}  // namespace primus::operators

namespace primus::data {
INSTANTIATE_TEST_SUITE_P(TimePart, OperatorConformance,
                         testing::Values(&primus::operators::TimePartSubject));
}  // namespace primus::data
