#include "primus/node/master_watch.h"

#include <gtest/gtest.h>

namespace primus::node {
namespace {

class MasterWatchTest : public testing::Test {
 protected:
  // Ticks until the watch finds silence; how long that took, at most two minutes.
  Duration TimeToSilence(const runtime::ContainerId& master) {
    const Instant start = now_;
    while (now_ - start < Seconds(120)) {
      now_ += kMasterWatchTick;
      if (watch_.Tick(master, now_)) break;
    }
    return now_ - start;
  }

  MasterWatch watch_;
  Instant now_{Seconds(1)};
};

TEST_F(MasterWatchTest, SilenceIsFoundInTenSecondsAfterTheFirstWord) {
  watch_.Tick("m/1", now_);
  watch_.Hear("m/1");
  EXPECT_EQ(TimeToSilence("m/1"), kMasterSilenceMax);
}

TEST_F(MasterWatchTest, WordBeforeTheFirstTickCounts) {
  watch_.Hear("m/1");
  EXPECT_LE(TimeToSilence("m/1"), kMasterSilenceMax + kMasterWatchTick);
}

TEST_F(MasterWatchTest, EachWordStartsAnew) {
  watch_.Tick("m/1", now_);
  for (int i = 0; i < 30; ++i) {
    watch_.Hear("m/1");
    now_ += kMasterWatchTick;
    EXPECT_FALSE(watch_.Tick("m/1", now_));
  }
}

TEST_F(MasterWatchTest, StartIsGivenMoreTime) {
  watch_.Tick("m/1", now_);
  EXPECT_EQ(TimeToSilence("m/1"), kMasterStartMax);
}

TEST_F(MasterWatchTest, ReplacedMasterStartsAnew) {
  watch_.Tick("m/1", now_);
  watch_.Hear("m/1");
  for (int i = 0; i < 9; ++i) watch_.Tick("m/1", now_ += kMasterWatchTick);
  EXPECT_FALSE(watch_.Tick("m/2", now_ += kMasterWatchTick));
  EXPECT_EQ(TimeToSilence("m/2"), kMasterStartMax);
}

TEST_F(MasterWatchTest, TimeInWhichNodeWasStoppedIsNoSilence) {
  watch_.Tick("m/1", now_);
  watch_.Hear("m/1");
  now_ += Seconds(3600);
  EXPECT_FALSE(watch_.Tick("m/1", now_));
}

TEST_F(MasterWatchTest, NoMasterIsNotSilent) {
  for (int i = 0; i < 100; ++i) EXPECT_FALSE(watch_.Tick(std::nullopt, now_ += Seconds(1)));
}

}  // namespace
}  // namespace primus::node
