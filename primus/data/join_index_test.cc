#include "primus/data/join_index.h"

#include <arrow/array.h>
#include <arrow/json/from_string.h>
#include <arrow/type.h>
#include <gtest/gtest.h>

#include <numeric>

namespace primus::data {
namespace {

std::shared_ptr<arrow::Array> Column(const std::shared_ptr<arrow::DataType>& type,
                                     const std::string& json) {
  return arrow::json::ArrayFromJSONString(type, json).ValueOrDie();
}

std::vector<int32_t> Find(const JoinIndex& index, const KeyArrays& keys) {
  std::vector<int64_t> rows(static_cast<std::size_t>(keys.front()->length()));
  std::iota(rows.begin(), rows.end(), 0);
  std::vector<int32_t> matches;
  EXPECT_TRUE(index.Find(keys, rows, matches).ok());
  return matches;
}

TEST(JoinIndex, NumbersOfAnyWidthMatchByValue) {
  const auto index =
      JoinIndex::Build({Column(arrow::int64(), "[5, -1, 7]")}, RowOrigin("d.parquet", 0));
  ASSERT_TRUE(index.ok()) << index.status().ToString();
  EXPECT_EQ(Find(*index, {Column(arrow::int8(), "[-1, 7, 8, 5]")}),
            (std::vector<int32_t>{1, 2, JoinIndex::kNoMatch, 0}));
}

TEST(JoinIndex, NullMatchesNothing) {
  const auto index =
      JoinIndex::Build({Column(arrow::utf8(), R"([null, "a", null])")}, RowOrigin("d.parquet", 0));
  ASSERT_TRUE(index.ok()) << index.status().ToString();
  EXPECT_EQ(Find(*index, {Column(arrow::utf8(), R"([null, "a", ""])")}),
            (std::vector<int32_t>{JoinIndex::kNoMatch, 1, JoinIndex::kNoMatch}));
}

TEST(JoinIndex, KeysOfSeveralColumnsMatchAsAWhole) {
  const KeyArrays dimension{Column(arrow::utf8(), R"(["a", "ab", "a"])"),
                            Column(arrow::utf8(), R"(["bc", "c", null])")};
  const auto index = JoinIndex::Build(dimension, RowOrigin("d.parquet", 0));
  ASSERT_TRUE(index.ok()) << index.status().ToString();
  EXPECT_EQ(Find(*index, {Column(arrow::utf8(), R"(["ab", "a", "a"])"),
                          Column(arrow::utf8(), R"(["c", "bc", "c"])")}),
            (std::vector<int32_t>{1, 0, JoinIndex::kNoMatch}));
}

TEST(JoinIndex, ADuplicateKeyIsNamedWithBothRows) {
  RowOrigin origin("a.parquet", 0);
  origin.Append("b.parquet", 0, 2);
  const auto index = JoinIndex::Build({Column(arrow::utf8(), R"(["x", "y", "z", "x"])")}, origin);
  ASSERT_FALSE(index.ok());
  EXPECT_EQ(index.status().code(), StatusCode::kInvalidArgument);
  EXPECT_NE(index.status().message().find("key \"x\" stands twice: a.parquet row 0 and "
                                          "b.parquet row 1"),
            std::string::npos)
      << index.status().ToString();
}

}  // namespace
}  // namespace primus::data
