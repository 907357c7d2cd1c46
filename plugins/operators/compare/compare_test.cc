#include "plugins/operators/compare/compare.h"

#include <arrow/array.h>
#include <arrow/json/from_string.h>
#include <arrow/type.h>
#include <gtest/gtest.h>

#include <functional>

#include "primus/data/operator_conformance.h"

#include "plugins/operators/compare/compare.pb.h"

namespace primus::operators {
namespace {

CompareOptions Options() {
  CompareOptions options;
  options.set_column("rating");
  options.set_into("liked");
  options.set_at_least(4);
  return options;
}

data::OperatorSubject CompareSubject() {
  return {&MakeCompare,
          Options().SerializeAsString(),
          {},
          {arrow::json::ArrayFromJSONString(arrow::int64(), "[3, 4, 5, -1]").ValueOrDie()},
          arrow::utf8()};
}

// The answers as JSON-like text.
std::string Answers(const CompareOptions& options, const std::shared_ptr<arrow::DataType>& type,
                    const std::string& json) {
  const auto made = MakeCompare(options.SerializeAsString(), {});
  if (!made.ok()) return made.status().message();
  const auto column = arrow::json::ArrayFromJSONString(type, json).ValueOrDie();
  const auto output = (*made)->Apply({column}, data::RowOrigin("a.parquet", 10));
  if (!output.ok()) return output.status().message();
  std::string text;
  const auto& answers = static_cast<const arrow::BooleanArray&>(**output);
  for (int64_t i = 0; i < answers.length(); ++i) {
    text += answers.IsNull(i) ? '-' : answers.Value(i) ? '1' : '0';
  }
  return text;
}

TEST(Compare, EachBoundMeansWhatItSays) {
  CompareOptions options = Options();
  EXPECT_EQ(Answers(options, arrow::int8(), "[3, 4, 5, null]"), "011-");
  options.set_above(4);
  EXPECT_EQ(Answers(options, arrow::int8(), "[3, 4, 5]"), "001");
  options.set_at_most(4);
  EXPECT_EQ(Answers(options, arrow::int8(), "[3, 4, 5]"), "110");
  options.set_below(4);
  EXPECT_EQ(Answers(options, arrow::int8(), "[3, 4, 5]"), "100");
  options.set_equal(4);
  EXPECT_EQ(Answers(options, arrow::float64(), "[3.9, 4.0, 4.1]"), "010");
}

TEST(Compare, LargeIntegersAreExact) {
  CompareOptions options = Options();
  options.set_at_least(9007199254740992.0);
  EXPECT_EQ(Answers(options, arrow::int64(), "[9007199254740991, 9007199254740992]"), "01");
  options.set_above(9007199254740992.0);
  EXPECT_EQ(Answers(options, arrow::uint64(), "[9007199254740992, 9007199254740993]"), "01");
}

TEST(Compare, NanIsAnErrorWithFileAndRow) {
  EXPECT_EQ(Answers(Options(), arrow::float64(), "[1, NaN]"),
            "a.parquet row 11: column rating is NaN, which compares with nothing");
}

TEST(Compare, OptionsMustBeWhole) {
  CompareOptions options = Options();
  options.clear_bound();
  EXPECT_FALSE(MakeCompare(options.SerializeAsString(), {}).ok());
  options = Options();
  options.clear_into();
  EXPECT_FALSE(MakeCompare(options.SerializeAsString(), {}).ok());
}

}  // namespace
}  // namespace primus::operators

namespace primus::data {
INSTANTIATE_TEST_SUITE_P(Compare, OperatorConformance,
                         testing::Values(&primus::operators::CompareSubject));
}  // namespace primus::data
