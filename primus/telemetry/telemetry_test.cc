#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "primus/telemetry/catalog.h"
#include "primus/telemetry/logger.h"
#include "primus/telemetry/metrics.h"

namespace primus::telemetry {
namespace {

class StoppedClock final : public env::Clock {
 public:
  explicit StoppedClock(WallTime wall) : now{.monotonic = {}, .wall = wall} {}
  Now Get() const override { return now; }
  Now now;
};

class LoggerTest : public ::testing::Test {
 protected:
  Sink Lines() {
    return [this](Level, std::string_view line) { lines_.emplace_back(line); };
  }
  // 2026-01-31T12:00:00.123456789Z
  StoppedClock clock_{WallTime(Seconds(1769860800) + Duration(123456789))};
  std::vector<std::string> lines_;
};

TEST_F(LoggerTest, WritesTimeLevelNameMessageAndFields) {
  const Logger log("trainer-0", clock_, Lines());
  log.Info("split leased", {{"split", 7},
                            {"holder", ReplicaId{"executor", 1}},
                            {"stamp", Stamp{1, 2, 3}},
                            {"loss", 0.25},
                            {"rows", uint64_t{1} << 63}});
  ASSERT_EQ(lines_.size(), 1U);
  EXPECT_EQ(lines_[0],
            "2026-01-31T12:00:00.123456Z INFO trainer-0 split leased split=7 holder=executor-1 "
            "stamp=a1.v2.c3 loss=0.25 rows=9223372036854775808");
}

TEST_F(LoggerTest, QuotesWhatWouldNotReadBackAsOneValue) {
  const Logger log("ps-1", clock_, Lines());
  log.Error("part not written", {{"error", NotFoundError("no \"a\"\n\tb\\")},
                                 {"empty", ""},
                                 {"bell", "\a"},
                                 {"pair", "a=b"},
                                 {"path", "/ö/x.parquet"}});
  ASSERT_EQ(lines_.size(), 1U);
  EXPECT_NE(lines_[0].find(" ERROR ps-1 part not written "
                           "error=\"NotFound: no \\\"a\\\"\\n\\tb\\\\\" empty=\"\" bell=\"\\x07\" "
                           "pair=\"a=b\" path=/ö/x.parquet"),
            std::string::npos)
      << lines_[0];
}

TEST_F(LoggerTest, DropsWhatIsBelowItsLevel) {
  const Logger log("ps-1", clock_, Lines(), Level::kWarn);
  log.Debug("a");
  log.Info("b");
  log.Warn("c");
  ASSERT_EQ(lines_.size(), 1U);
  EXPECT_NE(lines_[0].find("WARN"), std::string::npos);
}

TEST_F(LoggerTest, WritesTimesBeforeTheEpoch) {
  clock_.now.wall = WallTime(-Seconds(1));
  Logger("x", clock_, Lines()).Info("m");
  ASSERT_EQ(lines_.size(), 1U);
  EXPECT_EQ(lines_[0], "1969-12-31T23:59:59.000000Z INFO x m");
}

TEST_F(LoggerTest, KeepsLinesOfSeveralThreadsWhole) {
  ::testing::internal::CaptureStderr();
  const Logger log("x", clock_, StandardErrorSink());
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n < 50; ++n) log.Info("whole line");
    });
  }
  for (std::thread& thread : threads) thread.join();
  const std::string text = ::testing::internal::GetCapturedStderr();
  std::string expected;
  for (int n = 0; n < 200; ++n) expected += "2026-01-31T12:00:00.123456Z INFO x whole line\n";
  EXPECT_EQ(text, expected);
}

TEST(Registry, GivesOneCounterForOneName) {
  Registry registry;
  Counter& frames = registry.Get(kRpcReceivedFrames);
  frames.Add(2);
  registry.Get(kRpcReceivedFrames).Add(3);
  registry.Get(kRpcOpenCalls).Set(4);
  EXPECT_EQ(frames.Get(), 5U);
  const std::vector<Sample> samples = registry.Samples();
  ASSERT_EQ(samples.size(), 2U);
  EXPECT_EQ(samples[0].name, "primus_rpc_open_calls");
  EXPECT_EQ(samples[0].kind, MetricKind::kGauge);
  EXPECT_EQ(samples[0].value, 4);
  EXPECT_EQ(samples[1].name, "primus_rpc_received_frames_total");
  EXPECT_EQ(samples[1].value, 5);
  EXPECT_FALSE(samples[1].text.empty());
}

}  // namespace
}  // namespace primus::telemetry
