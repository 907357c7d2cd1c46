#include "primus/data/window_calendar.h"

#include <gtest/gtest.h>

#include "primus/data/window.h"

#include "proto/config/job.pb.h"

namespace primus::data {
namespace {

Result<std::vector<std::chrono::sys_days>> Days(const std::string& from, const std::string& to) {
  config::Range range;
  range.set_from(from);
  range.set_to(to);
  return DaysOf(range);
}

std::vector<std::string> Names(const std::string& from, const std::string& to) {
  std::vector<std::string> names;
  const auto days = Days(from, to);
  EXPECT_TRUE(days.ok()) << days.status().ToString();
  if (days.ok()) {
    for (const auto day : *days) names.push_back(WindowName(day));
  }
  return names;
}

using Texts = std::vector<std::string>;

TEST(WindowCalendar, ARangeHoldsBothItsEnds) {
  EXPECT_EQ(Names("1999-12-31", "2000-01-02"), (Texts{"1999-12-31", "2000-01-01", "2000-01-02"}));
  EXPECT_EQ(Names("1997-09-20", "1997-09-20"), (Texts{"1997-09-20"}));
}

TEST(WindowCalendar, LeapDaysAreDays) {
  EXPECT_EQ(Names("2000-02-28", "2000-03-01"), (Texts{"2000-02-28", "2000-02-29", "2000-03-01"}));
  EXPECT_EQ(Names("2100-02-28", "2100-03-01"), (Texts{"2100-02-28", "2100-03-01"}));
}

TEST(WindowCalendar, ARangeThatEndsBeforeItBeginsIsRefusedWithBothDays) {
  const Status refused = Days("2000-03-02", "2000-03-01").status();
  EXPECT_EQ(refused.code(), StatusCode::kInvalidArgument);
  EXPECT_NE(refused.message().find("2000-03-02"), std::string::npos);
  EXPECT_NE(refused.message().find("2000-03-01"), std::string::npos);
}

TEST(WindowCalendar, NamesThatAreNoDaysAreRefused) {
  for (const char* name :
       {"", "1998-02-30", "1998-2-3", "1998-02-03 ", "1998/02/03", "+998-02-03", "1998-02-0x"}) {
    EXPECT_EQ(ParseWindowName(name).status().code(), StatusCode::kInvalidArgument) << name;
    EXPECT_FALSE(Days(name, "1998-03-01").ok()) << name;
    EXPECT_FALSE(Days("1998-01-01", name).ok()) << name;
  }
}

TEST(WindowCalendar, AWindowIsADayInUtc) {
  const auto bounds = DayBounds("1998-03-07");
  ASSERT_TRUE(bounds.ok());
  EXPECT_EQ(bounds->begin.time_since_epoch(), Seconds(889228800));
  EXPECT_EQ(bounds->end - bounds->begin, Seconds(86400));
}

}  // namespace
}  // namespace primus::data
