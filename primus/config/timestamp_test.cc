#include "primus/config/timestamp.h"

#include <gtest/gtest.h>

namespace primus::config {
namespace {

WallTime At(int64_t seconds) { return WallTime(Seconds(seconds)); }

TEST(Timestamp, ReadsInstantsOfAnyZone) {
  EXPECT_EQ(*ParseTimestamp("1998-03-07T02:21:09Z"), At(889237269));
  EXPECT_EQ(*ParseTimestamp("1998-03-07T03:21:09+01:00"), At(889237269));
  EXPECT_EQ(*ParseTimestamp("1998-03-06T21:51:09-04:30"), At(889237269));
  EXPECT_EQ(*ParseTimestamp("1970-01-01T00:00:00.25Z"), WallTime(Milliseconds(250)));
}

TEST(Timestamp, ReadsDays) {
  EXPECT_EQ(*ParseDate("1970-01-02"), At(86400));
  EXPECT_EQ(*ParseDate("2000-02-29"), At(951782400));
}

TEST(Timestamp, RefusesWhatIsNoDayOrInstant) {
  for (const char* text : {"", "1997-9-20", "1997-02-30", "1997-13-01", "1969-12-31", "2201-01-01",
                           "1997-09-20 ", "97-09-20", "1999-02-29"}) {
    EXPECT_FALSE(ParseDate(text).ok()) << text;
  }
  for (const char* text :
       {"", "1998-03-07", "1998-03-07 02:21:09Z", "1998-03-07T02:21:09", "1998-03-07T24:00:00Z",
        "1998-03-07T02:60:00Z", "1998-03-07T02:21:09+1", "1998-03-07T02:21:09.Z",
        "1998-03-07T02:21:09.0000000001Z", "1998-03-07T02:21:09Zz"}) {
    EXPECT_FALSE(ParseTimestamp(text).ok()) << text;
  }
}

TEST(Timestamp, NamesTheDayOfAnInstant) {
  EXPECT_EQ(FormatDate(*ParseTimestamp("1998-03-07T02:21:09Z")), "1998-03-07");
}

}  // namespace
}  // namespace primus::config
