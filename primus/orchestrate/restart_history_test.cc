#include "primus/orchestrate/restart_history.h"

#include <gtest/gtest.h>

namespace primus::orchestrate {
namespace {

TEST(RestartHistoryTest, BackOffDoublesUpToItsLimit) {
  RestartHistory history({.limit = 100, .within = Seconds(600)});
  EXPECT_EQ(history.back_off(), Duration(0));
  Instant now{Seconds(1)};
  std::vector<int64_t> waits;
  for (int i = 0; i < 8; ++i) {
    EXPECT_TRUE(history.TakeFailure(now, now));
    waits.push_back(ToMilliseconds(history.back_off()));
  }
  EXPECT_EQ(waits, (std::vector<int64_t>{200, 400, 800, 1600, 3200, 6400, 10000, 10000}));
}

TEST(RestartHistoryTest, OnlyFailuresWithinTheTimeCount) {
  RestartHistory history({.limit = 2, .within = Seconds(10)});
  const Instant start{Seconds(1)};
  EXPECT_TRUE(history.TakeFailure(start, start));
  EXPECT_TRUE(history.TakeFailure(start, start + Seconds(6)));
  EXPECT_TRUE(history.TakeFailure(start, start + Seconds(11))) << "the first is forgotten";
  EXPECT_FALSE(history.TakeFailure(start, start + Seconds(12)));
}

}  // namespace
}  // namespace primus::orchestrate
