// What windows hold: readiness, order, what is ignored, what is an error.
#include <arrow/type.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "primus/data/files_window_planner.h"
#include "tests/rows/stream_fixture.h"

#include "proto/config/job.pb.h"

namespace primus::tests {
namespace {

constexpr char kData[] = R"(
range: {from: 1999-12-30, to: 2000-03-01}
streams:
  - name: rows
    base: rows
    sources:
      - name: rows
        files: {path: "rows/{{YYYY}}/{{MM}}-{{DD}}", format: {parquet: {}}}
        ready: {marker: DONE}
)";
constexpr char kDay[] = "2000-02-29";

class WindowPlannerTest : public testing::Test {
 protected:
  WindowPlannerTest() { fixture_.SetData(kData); }

  void WriteRows(const std::string& path, const std::string& ids) {
    fixture_.WriteParquet(path, {{"id", arrow::int64(), ids}});
  }
  Result<data::WindowPlan> Plan(const std::string& window = kDay,
                                data::Unready unready = data::Unready::kWait) {
    PRIMUS_ASSIGN(const auto planner, data::FilesWindowPlanner::Create(
                                          fixture_.job(), fixture_.slots(), fixture_.root()));
    return planner->Plan("rows", window, unready);
  }
  std::string ErrorOfPlan() {
    const auto plan = Plan();
    return plan.ok() ? "no error" : plan.status().message();
  }

  StreamFixture fixture_;
};

TEST_F(WindowPlannerTest, WindowsAreTheDaysOfTheRangeBothIncluded) {
  const auto planner =
      data::FilesWindowPlanner::Create(fixture_.job(), fixture_.slots(), fixture_.root());
  ASSERT_TRUE(planner.ok()) << planner.status().ToString();
  const std::vector<std::string> windows = (*planner)->Windows("rows");
  ASSERT_EQ(windows.size(), 63U);
  EXPECT_EQ(windows.front(), "1999-12-30");
  EXPECT_EQ(windows[2], "2000-01-01");
  EXPECT_EQ(windows[61], "2000-02-29");
  EXPECT_EQ(windows.back(), "2000-03-01");
}

TEST_F(WindowPlannerTest, ItWaitsForTheFolderAndTheMarker) {
  auto plan = Plan();
  ASSERT_TRUE(plan.ok()) << plan.status().ToString();
  EXPECT_EQ(plan->awaits, fixture_.root() + "/rows/2000/02-29/DONE");
  WriteRows("rows/2000/02-29/a.parquet", "[1]");
  plan = Plan();
  ASSERT_TRUE(plan.ok()) << plan.status().ToString();
  EXPECT_EQ(plan->awaits, fixture_.root() + "/rows/2000/02-29/DONE");
  EXPECT_TRUE(plan->splits.empty());
}

TEST_F(WindowPlannerTest, AWindowThatIsNotReadyIsRefusedSkippedOrUsedAsAsked) {
  WriteRows("rows/2000/02-29/a.parquet", "[1, 2]");
  const auto refused = Plan(kDay, data::Unready::kFail);
  EXPECT_NE(refused.status().message().find("rows/2000/02-29"), std::string::npos);
  const auto skipped = Plan(kDay, data::Unready::kSkip);
  ASSERT_TRUE(skipped.ok()) << skipped.status().ToString();
  EXPECT_EQ(skipped->awaits, "");
  EXPECT_TRUE(skipped->splits.empty());
  const auto used = Plan(kDay, data::Unready::kUse);
  ASSERT_TRUE(used.ok()) << used.status().ToString();
  EXPECT_EQ(used->awaits, "");
  ASSERT_EQ(used->splits.size(), 1U);
  EXPECT_EQ(used->splits[0].rows, 2U);
}

TEST_F(WindowPlannerTest, FilesComeInTheOrderOfTheirBytesWithTheirRows) {
  WriteRows("rows/2000/02-29/b.parquet", "[1, 2]");
  WriteRows("rows/2000/02-29/B.parquet", "[3]");
  WriteRows("rows/2000/02-29/a.parquet", "[]");
  fixture_.WriteText("rows/2000/02-29/_metadata", "not data");
  fixture_.WriteText("rows/2000/02-29/.a.crc", "not data");
  fixture_.WriteText("rows/2000/02-29/DONE", "");
  const auto plan = Plan();
  ASSERT_TRUE(plan.ok()) << plan.status().ToString();
  EXPECT_EQ(plan->awaits, "");
  ASSERT_EQ(plan->splits.size(), 2U);
  EXPECT_EQ(plan->splits[0].path, fixture_.root() + "/rows/2000/02-29/B.parquet");
  EXPECT_EQ(plan->splits[0].rows, 1U);
  EXPECT_EQ(plan->splits[1].path, fixture_.root() + "/rows/2000/02-29/b.parquet");
  EXPECT_EQ(plan->splits[1].rows, 2U);
}

TEST_F(WindowPlannerTest, AMarkerAloneIsAnEmptyWindow) {
  fixture_.WriteText("rows/2000/02-29/DONE", "");
  const auto plan = Plan();
  ASSERT_TRUE(plan.ok()) << plan.status().ToString();
  EXPECT_EQ(plan->awaits, "");
  EXPECT_TRUE(plan->splits.empty());
}

TEST_F(WindowPlannerTest, ABrokenFileIsNamedWithTheCure) {
  fixture_.WriteText("rows/2000/02-29/DONE", "");
  for (const std::string& bytes : {std::string(), std::string("PAR1"), std::string(100, 'x')}) {
    fixture_.WriteText("rows/2000/02-29/a.parquet", bytes);
    const std::string error = ErrorOfPlan();
    EXPECT_NE(error.find("02-29/a.parquet cannot be read as Parquet"), std::string::npos) << error;
    EXPECT_NE(error.find("write it again"), std::string::npos) << error;
  }
}

TEST_F(WindowPlannerTest, AFolderInsideAWindowIsAnError) {
  fixture_.WriteText("rows/2000/02-29/DONE", "");
  WriteRows("rows/2000/02-29/part=1/a.parquet", "[1]");
  EXPECT_NE(ErrorOfPlan().find("part=1 is not a file"), std::string::npos) << ErrorOfPlan();
}

TEST_F(WindowPlannerTest, AnotherFileUnderTheNameHasAnotherVersion) {
  fixture_.WriteText("rows/2000/02-29/DONE", "");
  WriteRows("rows/2000/02-29/a.parquet", "[1]");
  const auto first = Plan();
  const auto again = Plan();
  WriteRows("rows/2000/02-29/a.parquet", "[1, 2, 3]");
  const auto other = Plan();
  ASSERT_TRUE(first.ok() && again.ok() && other.ok());
  EXPECT_EQ(first->splits[0].version, again->splits[0].version);
  EXPECT_NE(first->splits[0].version, other->splits[0].version);
}

TEST_F(WindowPlannerTest, HoursOfADayAreOneWindow) {
  std::string data = kData;
  data.replace(data.find("{{DD}}"), 6, "{{DD}}/{{HH}}");
  data.replace(data.find("        ready: {marker: DONE}\n"), 30, "");
  fixture_.SetData(data);
  WriteRows("rows/2000/02-29/09/a.parquet", "[1]");
  WriteRows("rows/2000/02-29/10/a.parquet", "[2, 3]");
  const auto plan = Plan();
  ASSERT_TRUE(plan.ok()) << plan.status().ToString();
  EXPECT_EQ(plan->awaits, "");
  ASSERT_EQ(plan->splits.size(), 2U);
  EXPECT_EQ(plan->splits[0].path, fixture_.root() + "/rows/2000/02-29/09/a.parquet");
}

TEST_F(WindowPlannerTest, WithoutAMarkerAMissingWindowIsAnError) {
  std::string data = kData;
  data.replace(data.find("        ready: {marker: DONE}\n"), 30, "");
  fixture_.SetData(data);
  EXPECT_NE(ErrorOfPlan().find("there is nothing at"), std::string::npos) << ErrorOfPlan();
}

TEST_F(WindowPlannerTest, UnknownStreamsAndWindowsAreErrors) {
  EXPECT_FALSE(Plan("2000-02-30").ok());
  EXPECT_FALSE(Plan("").ok());
}

}  // namespace
}  // namespace primus::tests
