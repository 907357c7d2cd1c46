#include "primus/config/duration.h"

#include <gtest/gtest.h>

namespace primus::config {
namespace {

TEST(Duration, ReadsWhatUsersWrite) {
  EXPECT_EQ(*ParseDuration("30s"), Seconds(30));
  EXPECT_EQ(*ParseDuration("300ms"), Milliseconds(300));
  EXPECT_EQ(*ParseDuration("6h"), Seconds(6 * 3600));
  EXPECT_EQ(*ParseDuration("1h30m"), Seconds(5400));
  EXPECT_EQ(*ParseDuration("1.5s"), Milliseconds(1500));
  EXPECT_EQ(*ParseDuration("0.25ms"), Microseconds(250));
  EXPECT_EQ(*ParseDuration("7us9ns"), Duration(7009));
  EXPECT_EQ(*ParseDuration("0s"), Duration(0));
}

TEST(Duration, RefusesEverythingElse) {
  for (const char* text : {"", "30", "s", "30 s", "-1s", "1d", "1s1h", "1s1s", "1.s", ".5s", "1e3s",
                           "9999999999h", "99999999999999999999s", "30s ", "30S", "1h,5m"}) {
    EXPECT_FALSE(ParseDuration(text).ok()) << text;
  }
}

TEST(Duration, PrintsWhatReadsBack) {
  EXPECT_EQ(FormatDuration(Seconds(5400)), "1h30m");
  EXPECT_EQ(FormatDuration(Milliseconds(300)), "300ms");
  EXPECT_EQ(FormatDuration(Duration(0)), "0s");
  for (const int64_t nanos : {1L, 999L, 1'000'001L, 61'000'000'000L, 86'400'123'456'789L}) {
    EXPECT_EQ(*ParseDuration(FormatDuration(Duration(nanos))), Duration(nanos));
  }
}

}  // namespace
}  // namespace primus::config
