// What every EventLoop with its ThreadPool must do. An implementation instantiates the suite:
//
//   INSTANTIATE_TYPED_TEST_SUITE_P(Asio, EventLoopConformance, AsioWorld);
//
// A World is default constructible and has
//   EventLoop& loop();                                  the loop under test
//   std::unique_ptr<ThreadPool> MakePool();             a pool of one thread on that loop
//   bool RunUntil(const std::function<bool()>& holds);  runs the loop; false: it will never hold
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "primus/env/event_loop.h"
#include "primus/env/thread_pool.h"

namespace primus::env {

template <class World>
class EventLoopConformance : public ::testing::Test {
 protected:
  // Runs what is posted and due by now, whatever order the loop takes it in.
  void Settle() {
    bool settled = false;
    world_.loop().After(Milliseconds(5), [&] { settled = true; });
    ASSERT_TRUE(world_.RunUntil([&] { return settled; }));
  }

  World world_;
  std::string log_;
};

TYPED_TEST_SUITE_P(EventLoopConformance);

TYPED_TEST_P(EventLoopConformance, RunsPostedTasksInOrder) {
  EventLoop& loop = this->world_.loop();
  loop.Post([&] {
    this->log_ += "a";
    loop.Post([&] { this->log_ += "c"; });
  });
  loop.Post([&] { this->log_ += "b"; });
  EXPECT_EQ(this->log_, "") << "a task must not run inside Post";
  ASSERT_TRUE(this->world_.RunUntil([&] { return this->log_.size() == 3; }));
  EXPECT_EQ(this->log_, "abc");
}

TYPED_TEST_P(EventLoopConformance, RunsTimersByTheirTimeAndNeverEarly) {
  EventLoop& loop = this->world_.loop();
  const Instant start = loop.Get().monotonic;
  Duration late{0};
  loop.After(Milliseconds(20), [&] {
    this->log_ += "b";
    late = loop.Get().monotonic - start;
  });
  loop.After(Milliseconds(1), [&] { this->log_ += "a"; });
  ASSERT_TRUE(this->world_.RunUntil([&] { return this->log_.size() == 2; }));
  EXPECT_EQ(this->log_, "ab");
  EXPECT_GE(late, Milliseconds(20));
}

TYPED_TEST_P(EventLoopConformance, TakesADelayOfZeroOrLessAsSoon) {
  this->world_.loop().After(Duration(0), [&] { this->log_ += "a"; });
  this->world_.loop().After(-Seconds(1), [&] { this->log_ += "b"; });
  EXPECT_EQ(this->log_, "") << "a timer must not run inside After";
  EXPECT_TRUE(this->world_.RunUntil([&] { return this->log_.size() == 2; }));
}

TYPED_TEST_P(EventLoopConformance, NeverRunsACancelledTimer) {
  EventLoop& loop = this->world_.loop();
  const TimerId timer = loop.After(Milliseconds(1), [&] { this->log_ += "x"; });
  EXPECT_NE(timer, 0U);
  loop.Cancel(timer);
  loop.Cancel(timer);
  loop.Cancel(0);
  this->Settle();
  EXPECT_EQ(this->log_, "");
}

TYPED_TEST_P(EventLoopConformance, CancelsATimerThatIsDueAlready) {
  EventLoop& loop = this->world_.loop();
  TimerId first = 0, second = 0;
  const auto cancel_other = [&](TimerId& other) {
    this->log_ += "x";
    loop.Cancel(other);
  };
  first = loop.After(Duration(0), [&] { cancel_other(second); });
  second = loop.After(Duration(0), [&] { cancel_other(first); });
  this->Settle();
  EXPECT_EQ(this->log_, "x") << "whichever came first must have stopped the other";
}

TYPED_TEST_P(EventLoopConformance, EndsATimerWithItsObjectAndSetsItAgain) {
  {
    Timer ended(this->world_.loop());
    ended.Set(Milliseconds(1), [&] { this->log_ += "x"; });
  }
  Timer timer(this->world_.loop());
  timer.Set(Milliseconds(1), [&] { this->log_ += "x"; });
  timer.Set(Milliseconds(2), [&] { this->log_ += "a"; });
  EXPECT_TRUE(timer.pending());
  this->Settle();
  EXPECT_EQ(this->log_, "a");
  EXPECT_FALSE(timer.pending());
}

TYPED_TEST_P(EventLoopConformance, NeverTurnsTheClockBack) {
  EventLoop& loop = this->world_.loop();
  const Now before = loop.Get();
  bool ran = false;
  loop.After(Milliseconds(2), [&] { ran = true; });
  ASSERT_TRUE(this->world_.RunUntil([&] { return ran; }));
  EXPECT_GE(loop.Get().monotonic - before.monotonic, Milliseconds(2));
}

TYPED_TEST_P(EventLoopConformance, RunsWorkThenDone) {
  const auto pool = this->world_.MakePool();
  int worked = 0;
  bool done = false;
  pool->Run([&] { worked = 7; },
            [&] {
              EXPECT_EQ(worked, 7);
              done = true;
            });
  EXPECT_FALSE(done) << "done must not run inside Run";
  EXPECT_TRUE(this->world_.RunUntil([&] { return done; }));
}

TYPED_TEST_P(EventLoopConformance, RunsWorkOfOneThreadInOrder) {
  const auto pool = this->world_.MakePool();
  std::string work;  // touched by the one thread only
  for (const char letter : {'a', 'b', 'c'}) {
    pool->Run([&work, letter] { work += letter; }, [this, letter] { this->log_ += letter; });
  }
  ASSERT_TRUE(this->world_.RunUntil([&] { return this->log_.size() == 3; }));
  EXPECT_EQ(work, "abc");
  EXPECT_EQ(this->log_, "abc");
}

TYPED_TEST_P(EventLoopConformance, DropsDoneWithThePool) {
  auto pool = this->world_.MakePool();
  auto alive = std::make_shared<int>(0);
  for (int i = 0; i < 3; ++i) {
    pool->Run([] {}, [this, alive] { this->log_ += "x"; });
  }
  pool.reset();
  EXPECT_EQ(alive.use_count(), 1) << "what done holds must go with the pool";
  this->Settle();
  EXPECT_EQ(this->log_, "");
}

TYPED_TEST_P(EventLoopConformance, LetsDoneDestroyThePool) {
  auto pool = this->world_.MakePool();
  pool->Run([] {},
            [&] {
              pool.reset();
              this->log_ += "a";
            });
  pool->Run([] {}, [&] { this->log_ += "x"; });
  ASSERT_TRUE(this->world_.RunUntil([&] { return pool == nullptr; }));
  this->Settle();
  EXPECT_EQ(this->log_, "a");
}

REGISTER_TYPED_TEST_SUITE_P(EventLoopConformance, RunsPostedTasksInOrder,
                            RunsTimersByTheirTimeAndNeverEarly, TakesADelayOfZeroOrLessAsSoon,
                            NeverRunsACancelledTimer, CancelsATimerThatIsDueAlready,
                            EndsATimerWithItsObjectAndSetsItAgain, NeverTurnsTheClockBack,
                            RunsWorkThenDone, RunsWorkOfOneThreadInOrder, DropsDoneWithThePool,
                            LetsDoneDestroyThePool);

}  // namespace primus::env
