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

}  // namespace
}  // namespace primus::config
