#include "plugins/operators/bucketize/bucketize.h"

#include <arrow/array.h>
#include <arrow/json/from_string.h>
#include <arrow/type.h>
#include <gtest/gtest.h>

#include "primus/data/operator_conformance.h"

#include "plugins/operators/bucketize/bucketize.pb.h"

namespace primus::operators {
namespace {

BucketizeOptions Options(double width) {
  BucketizeOptions options;
  options.set_column("age");
  options.set_into("age5");
  options.set_width(width);
  return options;
}

data::OperatorSubject BucketizeSubject() {
  return {&MakeBucketize,
          Options(5).SerializeAsString(),
          {},
          {arrow::json::ArrayFromJSONString(arrow::float64(), "[3, 5, -0.5, 24.9]").ValueOrDie()},
          arrow::utf8()};
}

std::string Buckets(double width, const std::shared_ptr<arrow::DataType>& type,
                    const std::string& json) {
  const auto made = MakeBucketize(Options(width).SerializeAsString(), {});
  if (!made.ok()) return made.status().message();
  const auto column = arrow::json::ArrayFromJSONString(type, json).ValueOrDie();
  const auto output = (*made)->Apply({column}, data::RowOrigin("a.parquet", 0));
  if (!output.ok()) return output.status().message();
  std::string text;
  const auto& buckets = static_cast<const arrow::Int64Array&>(**output);
  for (int64_t i = 0; i < buckets.length(); ++i) {
    text += (i == 0 ? "" : " ") +
            (buckets.IsNull(i) ? std::string("-") : std::to_string(buckets.Value(i)));
  }
  return text;
}

TEST(Bucketize, FloorsToTheBucketBelow) {
  EXPECT_EQ(Buckets(5, arrow::int64(), "[0, 4, 5, 9, 10, -1, -5, -6, null]"),
            "0 0 1 1 2 -1 -1 -2 -");
  EXPECT_EQ(Buckets(0.5, arrow::float32(), "[0.25, 0.5, -0.25]"), "0 1 -1");
  EXPECT_EQ(Buckets(1, arrow::uint64(), "[9223372036854775807]"), "9223372036854775807");
}

TEST(Bucketize, ValuesInNoBucketAreErrorsWithFileAndRow) {
  EXPECT_NE(Buckets(5, arrow::float64(), "[1, NaN]").find("a.parquet row 1: column age is nan"),
            std::string::npos);
  EXPECT_NE(Buckets(5, arrow::float64(), "[Inf]").find("in no bucket"), std::string::npos);
  EXPECT_NE(Buckets(1, arrow::uint64(), "[9223372036854775808]").find("in no bucket"),
            std::string::npos);
}

TEST(Bucketize, AWidthIsAboveZero) {
  for (const double width : {0.0, -1.0}) {
    EXPECT_FALSE(MakeBucketize(Options(width).SerializeAsString(), {}).ok());
  }
}

}  // namespace
}  // namespace primus::operators

namespace primus::data {
INSTANTIATE_TEST_SUITE_P(Bucketize, OperatorConformance,
                         testing::Values(&primus::operators::BucketizeSubject));
}  // namespace primus::data
