#include "primus/master/window_reader.h"

#include <gtest/gtest.h>

#include "primus/sim/store.h"
#include "primus/sim/world.h"

namespace primus::master {
namespace {

using data::Unready;

// Plans what the test says.
class TestPlanner final : public data::WindowPlanner {
 public:
  std::vector<std::string> Windows(const std::string&) override { return {"mon"}; }
  Result<data::WindowPlan> Plan(const std::string&, const std::string&, Unready unready) override {
    ++plans;
    asked = unready;
    return answer;
  }

  Result<data::WindowPlan> answer = data::WindowPlan{};
  Unready asked = Unready::kWait;
  int plans = 0;
};

class WindowReaderTest : public testing::Test {
 protected:
  static data::WindowPlan Files(const std::vector<std::string>& paths) {
    data::WindowPlan plan;
    for (const std::string& path : paths) {
      plan.splits.push_back({.path = path, .version = 7, .first_row = 0, .rows = 6});
    }
    return plan;
  }
  // As each life of the master makes its own.
  Result<WindowTasks> Read(Unready unready = Unready::kWait) {
    return WindowReader(blobs_, planner_, 10).Read("s", "mon", unready);
  }

  sim::World world_{1};
  sim::Faults faults_;
  sim::Blobs blobs_{world_, faults_};
  TestPlanner planner_;
};

TEST_F(WindowReaderTest, PacksTheFilesOfTheWindowIntoTasks) {
  planner_.answer = Files({"a", "b"});
  const auto tasks = Read();
  ASSERT_TRUE(tasks.ok());
  ASSERT_EQ(tasks->tasks.size(), 2U);
  const data::TaskPlan& first = tasks->tasks.at(0);
  EXPECT_EQ(first.stream, "s");
  EXPECT_EQ(first.window, "mon");
  EXPECT_EQ(first.rows, 10U);
  ASSERT_EQ(first.splits.size(), 2U);
  EXPECT_EQ(first.splits[1].path, "b");
  EXPECT_EQ(first.splits[1].version, 7U);
  EXPECT_EQ(first.splits[1].rows, 4U);
  EXPECT_EQ(tasks->tasks.at(1).splits[0].first_row, 4U);
}

TEST_F(WindowReaderTest, EveryLifeReadsWhatWasPlannedFirst) {
  planner_.answer = Files({"a", "b"});
  ASSERT_TRUE(Read().ok());
  planner_.answer = Files({"a", "b", "came-later"});
  const auto again = Read();
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again->tasks.size(), 2U);
  EXPECT_EQ(again->tasks.at(1).splits.back().path, "b");
  EXPECT_EQ(planner_.plans, 1);
}

TEST_F(WindowReaderTest, AWindowWithoutRowsIsAPlanToo) {
  const auto tasks = Read();
  ASSERT_TRUE(tasks.ok());
  EXPECT_EQ(tasks->awaits, "");
  EXPECT_TRUE(tasks->tasks.empty());
  planner_.answer = Files({"came-later"});
  EXPECT_TRUE(Read()->tasks.empty());
}

TEST_F(WindowReaderTest, AWindowThatIsWaitedForIsNotKept) {
  planner_.answer->awaits = "mon/_SUCCESS";
  const auto waiting = Read();
  ASSERT_TRUE(waiting.ok());
  EXPECT_EQ(waiting->awaits, "mon/_SUCCESS");
  EXPECT_TRUE(waiting->tasks.empty());
  EXPECT_TRUE(blobs_.blobs().empty());
  planner_.answer = Files({"a"});
  EXPECT_EQ(Read(Unready::kUse)->tasks.size(), 1U);
  EXPECT_EQ(planner_.asked, Unready::kUse);
}

TEST_F(WindowReaderTest, APlanThatCannotBeKeptIsNotUsed) {
  planner_.answer = Files({"a"});
  faults_.put_fails = 1;
  EXPECT_EQ(Read().status().code(), StatusCode::kUnavailable);
  faults_.put_fails = 0;
  EXPECT_TRUE(Read().ok());
}

TEST_F(WindowReaderTest, AnErrorOfThePlannerIsAnError) {
  planner_.answer = NotFoundError("no footer in a.parquet");
  EXPECT_EQ(Read().status().code(), StatusCode::kNotFound);
  EXPECT_TRUE(blobs_.blobs().empty());
}

TEST_F(WindowReaderTest, ADamagedPlanIsNamed) {
  ASSERT_TRUE(blobs_.PutIfAbsent("plan/s/mon", "rubbish").ok());
  const Status status = Read().status();
  EXPECT_EQ(status.code(), StatusCode::kDataLoss);
  EXPECT_NE(status.message().find("planned window plan/s/mon"), std::string::npos);
  EXPECT_NE(status.message().find("remove this file"), std::string::npos);
}

TEST_F(WindowReaderTest, APlanUnderAnotherWindowsNameIsRefused) {
  planner_.answer = Files({"a"});
  ASSERT_TRUE(WindowReader(blobs_, planner_, 10).Read("s", "tue", Unready::kWait).ok());
  ASSERT_TRUE(blobs_.PutIfAbsent("plan/s/mon", *blobs_.Get("plan/s/tue")).ok());
  const Status status = Read().status();
  EXPECT_EQ(status.code(), StatusCode::kDataLoss);
  EXPECT_NE(status.message().find("plan/s/mon: it is the plan of plan/s/tue"), std::string::npos)
      << status.ToString();
  EXPECT_NE(status.message().find("remove this file"), std::string::npos) << status.ToString();
}

}  // namespace
}  // namespace primus::master
