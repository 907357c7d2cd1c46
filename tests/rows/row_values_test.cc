// What single values become, and which are refused with file, row and column.
#include <arrow/type.h>
#include <gtest/gtest.h>

#include "primus/data/key_hash.h"
#include "tests/rows/stream_fixture.h"

namespace primus::tests {
namespace {

using data::TableKeys;

constexpr char kData[] = R"(
range: {from: 2024-01-01, to: 2024-01-01}
streams:
  - name: rows
    base: rows
    sources:
      - name: rows
        files: {path: rows.parquet, format: {parquet: {}}}
)";

class RowValuesTest : public testing::Test {
 protected:
  RowValuesTest() { fixture_.SetData(kData); }

  Result<batch::EncodedRows> Read(const std::vector<TestColumn>& columns) {
    fixture_.WriteParquet("rows.parquet", columns);
    PRIMUS_ASSIGN(const auto task, fixture_.PlanTask("rows", "2024-01-01"));
    PRIMUS_ASSIGN(const auto streams, fixture_.OpenStreams());
    return StreamFixture::ReadAll(*streams, task, {});
  }
  std::string ErrorOf(const std::vector<TestColumn>& columns) {
    const auto rows = Read(columns);
    return rows.ok() ? "no error" : rows.status().message();
  }
  void ExpectError(const std::vector<TestColumn>& columns, const std::string& text) {
    const std::string error = ErrorOf(columns);
    EXPECT_NE(error.find(text), std::string::npos) << error;
  }

  StreamFixture fixture_;
};

TEST_F(RowValuesTest, NullEmptyAndZeroAreThreeThings) {
  fixture_.AddCategory("text", "text");
  fixture_.AddCategory("number", "number");
  const auto rows = Read(
      {{"text", arrow::utf8(), R"([null, "", "0"])"}, {"number", arrow::int32(), "[null, 0, 42]"}});
  ASSERT_TRUE(rows.ok()) << rows.status().ToString();
  EXPECT_EQ(rows->keys[0].offsets, (std::vector<uint32_t>{0, 0, 1, 2}));
  const TableKeys text("text");
  EXPECT_EQ(rows->keys[0].keys, (std::vector<uint64_t>{text.OfText(""), text.OfText("0")}));
  const TableKeys number("number");
  EXPECT_EQ(rows->keys[1].keys, (std::vector<uint64_t>{number.OfInteger(0), number.OfInteger(42)}));
  EXPECT_EQ(rows->labels, (std::vector<float>{0, 0, 0}));
}

TEST_F(RowValuesTest, BoolsDatesAndTimesAreNumbers) {
  fixture_.AddCategory("flag", "flag");
  fixture_.AddCategory("day", "day");
  fixture_.AddCategory("time", "time");
  const auto rows = Read({{"flag", arrow::boolean(), "[true]"},
                          {"day", arrow::date32(), "[10]"},
                          {"time", arrow::timestamp(arrow::TimeUnit::MILLI), "[5000]"}});
  ASSERT_TRUE(rows.ok()) << rows.status().ToString();
  EXPECT_EQ(rows->keys[0].keys.front(), TableKeys("flag").OfInteger(1));
  EXPECT_EQ(rows->keys[1].keys.front(), TableKeys("day").OfInteger(10));
  EXPECT_EQ(rows->keys[2].keys.front(), TableKeys("time").OfInteger(5000));
}

TEST_F(RowValuesTest, AMultiHotHasOneKeyForEachColumnThatIsNotZero) {
  fixture_.AddMultiHot("genres", {"a", "b", "c"});
  const auto rows = Read({{"a", arrow::int64(), "[0, 1, null]"},
                          {"b", arrow::boolean(), "[false, true, true]"},
                          {"c", arrow::float64(), "[0, -2.5, 0]"}});
  ASSERT_TRUE(rows.ok()) << rows.status().ToString();
  const TableKeys genres("genres");
  EXPECT_EQ(rows->keys[0].offsets, (std::vector<uint32_t>{0, 0, 3, 4}));
  EXPECT_EQ(rows->keys[0].keys, (std::vector<uint64_t>{genres.OfText("a"), genres.OfText("b"),
                                                       genres.OfText("c"), genres.OfText("b")}));
}

TEST_F(RowValuesTest, DenseNullIsMissingOrAnError) {
  fixture_.AddDense("price", "price");
  const std::vector<TestColumn> columns{{"price", arrow::float64(), "[1.5, null]"}};
  ExpectError(columns, "rows.parquet row 1: column price is null");
  fixture_.plan().features.front().has_missing = true;
  fixture_.plan().features.front().missing = -3;
  const auto rows = Read(columns);
  ASSERT_TRUE(rows.ok()) << rows.status().ToString();
  EXPECT_EQ(rows->dense[0], (std::vector<float>{1.5F, -3.0F}));
}

TEST_F(RowValuesTest, NanAndInfinityAreNamed) {
  fixture_.AddDense("price", "price");
  ExpectError({{"price", arrow::float64(), "[1.5, NaN]"}},
              "rows.parquet row 1: column price is nan");
  ExpectError({{"price", arrow::float64(), "[Inf]"}}, "rows.parquet row 0: column price is inf");
  ExpectError({{"price", arrow::float64(), "[1e300]"}}, "no finite float");
}

TEST_F(RowValuesTest, ALabelIsZeroOrOne) {
  fixture_.AddCategory("id", "id");
  fixture_.plan().label_column = "label";
  const TestColumn id{"id", arrow::int64(), "[1, 2]"};
  const auto rows = Read({id, {"label", arrow::float32(), "[0, 1]"}});
  ASSERT_TRUE(rows.ok()) << rows.status().ToString();
  EXPECT_EQ(rows->labels, (std::vector<float>{0, 1}));
  ExpectError({id, {"label", arrow::int8(), "[0, 2]"}},
              "rows.parquet row 1: column label is 2; a label is 0 or 1 (the operator compare");
  ExpectError({id, {"label", arrow::float64(), "[0, NaN]"}}, "row 1: column label is nan");
  ExpectError({id, {"label", arrow::boolean(), "[null, true]"}}, "row 0: column label is null");
  ExpectError({id, {"label", arrow::utf8(), R"(["0", "1"])"}}, "column label is string");
}

TEST_F(RowValuesTest, AFloatIsNoCategory) {
  fixture_.AddCategory("price", "price");
  ExpectError({{"price", arrow::float64(), "[1.5]"}}, "a float cannot be a category");
}

TEST_F(RowValuesTest, ColumnsThatNobodyNeedsMayBeAnything) {
  fixture_.AddCategory("id", "id");
  const auto rows =
      Read({{"id", arrow::int64(), "[1]"}, {"list", arrow::list(arrow::int64()), "[[1, 2]]"}});
  ASSERT_TRUE(rows.ok()) << rows.status().ToString();
  EXPECT_EQ(rows->keys[0].keys.front(), TableKeys("id").OfInteger(1));
}

}  // namespace
}  // namespace primus::tests
