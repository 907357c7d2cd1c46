// Row streams over real files: join, operators, order, time ranges, and what is refused.
#include <arrow/type.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "primus/base/seeded.h"
#include "primus/data/key_hash.h"
#include "primus/data/row_stream_conformance.h"
#include "tests/rows/stream_fixture.h"

namespace primus::tests {
namespace {

using data::PhaseScope;
using data::TableKeys;

constexpr char kData[] = R"(
range: {from: 1997-09-20, to: 1997-09-21}
streams:
  - name: ratings
    base: ratings
    sources:
      - name: ratings
        files: {path: "ratings/{{YYYY}}-{{MM}}-{{DD}}", format: {parquet: {}}}
        ready: {}
        eventTime: {column: timestamp}
      - name: users
        files: {path: users.parquet, format: {parquet: {}}}
        dimension: {}
    join:
      - {source: users, keys: [user_id]}
    operators:
      - {compare: {column: rating, atLeast: 4, into: liked}}
      - {bucketize: {column: age, width: 5, into: age5}}
      - {timePart: {column: timestamp, part: Hour, into: hour}}
)";
constexpr char kDay[] = "1997-09-20";
constexpr char kFile[] = "ratings/1997-09-20/a.parquet";

// 874713600 is 1997-09-20T00:00:00Z.
std::vector<TestColumn> Ratings() {
  return {{"user_id", arrow::int64(), "[1, 2, 9, 1]"},
          {"rating", arrow::int64(), "[5, 3, 4, 1]"},
          {"timestamp", arrow::int64(), "[874713600, 874717200, 874720800, 874800000]"}};
}

void WriteUsers(StreamFixture& fixture) {
  fixture.WriteParquet("users.parquet", {{"user_id", arrow::int64(), "[2, 1, 3]"},
                                         {"age", arrow::int64(), "[24, 53, 7]"},
                                         {"gender", arrow::utf8(), R"(["F", "M", null])"}});
}

void WriteJob(StreamFixture& fixture) {
  fixture.SetData(kData);
  fixture.WriteParquet(kFile, Ratings());
  fixture.WriteText("ratings/1997-09-20/_SUCCESS", "");
  WriteUsers(fixture);
  fixture.AddCategory("age5", "age5");
  fixture.AddCategory("gender", "gender");
  fixture.AddCategory("hour", "hour");
  fixture.plan().label_column = "liked";
}

class RowStreamsTest : public testing::Test {
 protected:
  Result<batch::EncodedRows> Read(const PhaseScope& scope = {}) {
    PRIMUS_ASSIGN(const auto task, fixture_.PlanTask("ratings", kDay));
    PRIMUS_ASSIGN(streams_, fixture_.OpenStreams());
    return StreamFixture::ReadAll(*streams_, task, scope);
  }

  std::string ErrorOf(const Result<batch::EncodedRows>& result) {
    return result.ok() ? "no error" : result.status().ToString();
  }

  StreamFixture fixture_;
  std::unique_ptr<data::ArrowRowStreams> streams_;
};

std::vector<uint64_t> KeysOfRow(const batch::KeyColumn& column, std::size_t row) {
  return {column.keys.begin() + column.offsets[row], column.keys.begin() + column.offsets[row + 1]};
}

TEST_F(RowStreamsTest, JoinsComputesAndEncodes) {
  WriteJob(fixture_);
  const auto rows = Read();
  ASSERT_TRUE(rows.ok()) << rows.status().ToString();
  EXPECT_EQ(rows->positions, (std::vector<uint64_t>{0, 1, 2, 3}));
  EXPECT_EQ(rows->labels, (std::vector<float>{1, 0, 1, 0}));
  ASSERT_EQ(rows->keys.size(), 3U);
  const TableKeys age("age5");
  const TableKeys gender("gender");
  const TableKeys hour("hour");
  EXPECT_EQ(KeysOfRow(rows->keys[0], 0), (std::vector<uint64_t>{age.OfInteger(10)}));
  EXPECT_EQ(KeysOfRow(rows->keys[0], 1), (std::vector<uint64_t>{age.OfInteger(4)}));
  EXPECT_EQ(KeysOfRow(rows->keys[1], 3), (std::vector<uint64_t>{gender.OfText("M")}));
  EXPECT_EQ(KeysOfRow(rows->keys[2], 1), (std::vector<uint64_t>{hour.OfInteger(1)}));
  EXPECT_EQ(KeysOfRow(rows->keys[2], 3), (std::vector<uint64_t>{hour.OfInteger(0)}));
}

TEST_F(RowStreamsTest, RowsWithoutAMatchStayWithNulls) {
  WriteJob(fixture_);
  const auto rows = Read();
  ASSERT_TRUE(rows.ok()) << rows.status().ToString();
  EXPECT_TRUE(KeysOfRow(rows->keys[0], 2).empty());
  EXPECT_TRUE(KeysOfRow(rows->keys[1], 2).empty());
  EXPECT_EQ(rows->positions, (std::vector<uint64_t>{0, 1, 2, 3}));
  EXPECT_TRUE(rows->skipped.empty());
}

TEST_F(RowStreamsTest, RowsOutsideTheTimeRangeAreExcluded) {
  WriteJob(fixture_);
  PhaseScope scope;
  scope.from = WallTime(Seconds(874717200));
  scope.to = WallTime(Seconds(874790000));
  for (const bool shuffle : {false, true}) {
    scope.shuffle = shuffle;
    const auto rows = Read(scope);
    ASSERT_TRUE(rows.ok()) << rows.status().ToString();
    EXPECT_EQ(rows->rows(), 2U);
    const std::vector<batch::Span> expected{{7, batch::RowKind::kExcluded, 0, 1},
                                            {7, batch::RowKind::kExcluded, 3, 4}};
    EXPECT_EQ(rows->skipped, expected);
  }
}

TEST_F(RowStreamsTest, AFractionOfASecondInTheRangeIsKept) {
  WriteJob(fixture_);
  PhaseScope scope;
  scope.from = WallTime(Seconds(874717200) + Milliseconds(1));
  const auto rows = Read(scope);
  ASSERT_TRUE(rows.ok()) << rows.status().ToString();
  EXPECT_EQ(rows->positions, (std::vector<uint64_t>{2, 3}));
}

// The phases of a job choose windows; a row of another day would otherwise be in none of them.
TEST_F(RowStreamsTest, ATimeOutsideTheWindowIsOnOneSideOfTheCut) {
  WriteJob(fixture_);
  auto stray = Ratings();
  // The day before, noon, the day after, and milliseconds where seconds are declared.
  stray[2].json = "[874627200, 874756800, 874886400, 874756800000]";
  fixture_.WriteParquet(kFile, stray);
  const auto sides = [this](WallTime cut) {
    PhaseScope before;
    before.to = cut;
    PhaseScope after;
    after.from = cut;
    const auto trained = Read(before);
    const auto evaluated = Read(after);
    EXPECT_TRUE(trained.ok() && evaluated.ok());
    return std::pair(trained->positions, evaluated->positions);
  };
  using Positions = std::vector<uint64_t>;
  const WallTime day(Seconds(874713600));
  EXPECT_EQ(sides(day), std::pair(Positions{}, Positions{0, 1, 2, 3}));
  EXPECT_EQ(sides(day + Seconds(3600)), std::pair(Positions{0}, Positions{1, 2, 3}));
  EXPECT_EQ(sides(day + Seconds(86399)), std::pair(Positions{0, 1}, Positions{2, 3}));
  EXPECT_EQ(sides(day + Seconds(86400)), std::pair(Positions{0, 1, 2, 3}, Positions{}));
}

TEST_F(RowStreamsTest, AFileThatChangedIsNotRead) {
  WriteJob(fixture_);
  const auto task = fixture_.PlanTask("ratings", kDay);
  ASSERT_TRUE(task.ok());
  auto streams = fixture_.OpenStreams();
  ASSERT_TRUE(streams.ok());
  auto shorter = Ratings();
  for (TestColumn& column : shorter) column.json = "[1]";
  fixture_.WriteParquet(kFile, shorter);
  const auto rows = StreamFixture::ReadAll(**streams, *task, {});
  ASSERT_FALSE(rows.ok());
  EXPECT_EQ(rows.status().code(), StatusCode::kAborted);
  EXPECT_NE(rows.status().message().find(kFile), std::string::npos);
  EXPECT_NE(rows.status().message().find("put the old file back"), std::string::npos);
  EXPECT_NE(rows.status().message().find("start anew"), std::string::npos);
}

TEST_F(RowStreamsTest, AFileWithAnotherTypeOrWithoutAColumnIsNamed) {
  WriteJob(fixture_);
  auto other = Ratings();
  other[1] = {"rating", arrow::utf8(), R"(["5", "5", "5", "5"])"};
  fixture_.WriteParquet("ratings/1997-09-20/b.parquet", other);
  const std::string drift = ErrorOf(Read());
  EXPECT_NE(drift.find("b.parquet"), std::string::npos) << drift;
  EXPECT_NE(drift.find("rating"), std::string::npos) << drift;
  EXPECT_NE(drift.find("int64"), std::string::npos) << drift;
  other.erase(other.begin() + 1);
  fixture_.WriteParquet("ratings/1997-09-20/b.parquet", other);
  const std::string absent = ErrorOf(Read());
  EXPECT_NE(absent.find("b.parquet has no column rating"), std::string::npos) << absent;
  EXPECT_NE(absent.find("once that is mended, start anew"), std::string::npos) << absent;
}

TEST_F(RowStreamsTest, ARowWithoutATimeIsNamedWithTheCure) {
  WriteJob(fixture_);
  auto timeless = Ratings();
  timeless[2].json = "[874713600, null, 874720800, 874800000]";
  fixture_.WriteParquet(kFile, timeless);
  PhaseScope scope;
  scope.from = WallTime(Seconds(874717200));
  const std::string error = ErrorOf(Read(scope));
  EXPECT_NE(error.find("a.parquet row 1: column timestamp is null"), std::string::npos) << error;
  EXPECT_NE(error.find("write a time into it"), std::string::npos) << error;
}

TEST_F(RowStreamsTest, ADimensionHasOneRowAKey) {
  WriteJob(fixture_);
  fixture_.WriteParquet("users.parquet", {{"user_id", arrow::int64(), "[2, 1, 2]"},
                                          {"age", arrow::int64(), "[24, 53, 7]"},
                                          {"gender", arrow::utf8(), R"(["F", "M", "F"])"}});
  const std::string error = ErrorOf(Read());
  EXPECT_NE(error.find("key 2 stands twice"), std::string::npos) << error;
  EXPECT_NE(error.find("users.parquet row 2"), std::string::npos) << error;
}

TEST_F(RowStreamsTest, JoinKeysOfDifferentTypesAreRefused) {
  WriteJob(fixture_);
  fixture_.WriteParquet("users.parquet", {{"user_id", arrow::utf8(), R"(["2", "1"])"},
                                          {"age", arrow::int64(), "[24, 53]"},
                                          {"gender", arrow::utf8(), R"(["F", "M"])"}});
  const std::string error = ErrorOf(Read());
  EXPECT_NE(error.find("int64 in the base and string in the dimension"), std::string::npos)
      << error;
}

TEST_F(RowStreamsTest, IntegersOfAnyWidthJoin) {
  WriteJob(fixture_);
  fixture_.WriteParquet("users.parquet", {{"user_id", arrow::int8(), "[2, 1, 3]"},
                                          {"age", arrow::uint16(), "[24, 53, 7]"},
                                          {"gender", arrow::utf8(), R"(["F", "M", "F"])"}});
  const auto rows = Read();
  ASSERT_TRUE(rows.ok()) << rows.status().ToString();
  EXPECT_EQ(KeysOfRow(rows->keys[0], 0), (std::vector<uint64_t>{TableKeys("age5").OfInteger(10)}));
}

TEST_F(RowStreamsTest, DictionaryColumnsAreValues) {
  WriteJob(fixture_);
  fixture_.WriteParquet(
      "users.parquet",
      {{"user_id", arrow::int64(), "[2, 1, 3]"},
       {"age", arrow::int64(), "[24, 53, 7]"},
       {"gender", arrow::dictionary(arrow::int32(), arrow::utf8()), R"(["F", "M", null])"}});
  const auto rows = Read();
  ASSERT_TRUE(rows.ok()) << rows.status().ToString();
  EXPECT_EQ(KeysOfRow(rows->keys[1], 0), (std::vector<uint64_t>{TableKeys("gender").OfText("M")}));
}

TEST_F(RowStreamsTest, AFeatureOverColumnsOfBothSidesIsEncoded) {
  WriteJob(fixture_);
  fixture_.AddMultiHot("both", {"rating", "age"});
  const auto rows = Read();
  ASSERT_TRUE(rows.ok()) << rows.status().ToString();
  const TableKeys both("both");
  EXPECT_EQ(KeysOfRow(rows->keys[3], 0),
            (std::vector<uint64_t>{both.OfText("rating"), both.OfText("age")}));
  EXPECT_EQ(KeysOfRow(rows->keys[3], 2), (std::vector<uint64_t>{both.OfText("rating")}));
}

TEST_F(RowStreamsTest, ALabelMayComeFromADimension) {
  WriteJob(fixture_);
  fixture_.WriteParquet("users.parquet", {{"user_id", arrow::int64(), "[2, 1, 9]"},
                                          {"age", arrow::int64(), "[24, 53, 7]"},
                                          {"paid", arrow::boolean(), "[true, false, true]"},
                                          {"gender", arrow::utf8(), R"(["F", "M", "F"])"}});
  fixture_.plan().label_column = "paid";
  const auto rows = Read();
  ASSERT_TRUE(rows.ok()) << rows.status().ToString();
  EXPECT_EQ(rows->labels, (std::vector<float>{0, 1, 1, 0}));
}

TEST_F(RowStreamsTest, ChunksHoldTheSameRowsAsTheWhole) {
  WriteJob(fixture_);
  fixture_.WriteParquet("ratings/1997-09-20/b.parquet", Ratings(), 2);
  const auto task = fixture_.PlanTask("ratings", kDay);
  ASSERT_TRUE(task.ok()) << task.status().ToString();
  EXPECT_EQ(task->rows, 8U);
  auto whole = fixture_.OpenStreams();
  auto chunked = fixture_.OpenStreams(3);
  ASSERT_TRUE(whole.ok() && chunked.ok());
  for (const bool shuffle : {false, true}) {
    PhaseScope scope;
    scope.shuffle = shuffle;
    const auto all = StreamFixture::ReadAll(**whole, *task, scope);
    const auto parts = StreamFixture::ReadAll(**chunked, *task, scope);
    ASSERT_TRUE(all.ok() && parts.ok());
    EXPECT_EQ(all->positions, parts->positions);
    EXPECT_EQ(all->labels, parts->labels);
    EXPECT_EQ(all->keys[0].keys, parts->keys[0].keys);
  }
}

TEST_F(RowStreamsTest, PartOfAFileIsATask) {
  WriteJob(fixture_);
  auto task = fixture_.PlanTask("ratings", kDay);
  ASSERT_TRUE(task.ok());
  task->rows = 2;
  task->splits.front().first_row = 1;
  task->splits.front().rows = 2;
  auto streams = fixture_.OpenStreams();
  const auto rows = StreamFixture::ReadAll(**streams, *task, {});
  ASSERT_TRUE(rows.ok()) << rows.status().ToString();
  EXPECT_EQ(rows->positions, (std::vector<uint64_t>{0, 1}));
  EXPECT_EQ(rows->labels, (std::vector<float>{0, 1}));
}

// What the conformance suite reads: two files in several row groups, joined.
data::RowStreamSubject ArrowSubject() {
  auto fixture = std::make_shared<StreamFixture>();
  WriteJob(*fixture);
  std::string users = "[";
  std::string ratings = "[";
  std::string times = "[";
  for (int i = 0; i < 40; ++i) {
    users += (i == 0 ? "" : ", ") + std::to_string(i % 5);
    ratings += (i == 0 ? "" : ", ") + std::to_string(i % 6);
    times += (i == 0 ? "" : ", ") + std::to_string(874713600 + i * 1000);
  }
  const std::vector<TestColumn> columns{{"user_id", arrow::int64(), users + "]"},
                                        {"rating", arrow::int64(), ratings + "]"},
                                        {"timestamp", arrow::int64(), times + "]"}};
  fixture->WriteParquet("ratings/1997-09-20/b.parquet", columns, 7);
  auto task = fixture->PlanTask("ratings", kDay);
  auto streams = fixture->OpenStreams(16);
  EXPECT_TRUE(task.ok() && streams.ok());
  return {std::shared_ptr<data::RowStreams>(*std::move(streams)), *task, {}, fixture};
}

}  // namespace
}  // namespace primus::tests

namespace primus::data {
INSTANTIATE_TEST_SUITE_P(Arrow, RowStreamConformance,
                         testing::Values(&primus::tests::ArrowSubject));
}  // namespace primus::data
