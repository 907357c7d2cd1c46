#include "primus/env/asio_loop.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <thread>
#include <utility>
#include <vector>

#include "primus/env/event_loop_conformance.h"
#include "primus/env/system_random.h"
#include "primus/env/worker_pool.h"

namespace primus::env {
namespace {

// Far above what any test needs, so that only a hang reaches it.
constexpr Duration kLimit = Seconds(30);

class AsioWorld {
 public:
  EventLoop& loop() { return loop_; }
  std::unique_ptr<ThreadPool> MakePool() { return std::make_unique<WorkerPool>(loop_, 1); }
  bool RunUntil(const std::function<bool()>& holds) { return loop_.RunUntil(holds, kLimit); }

 private:
  AsioLoop loop_;
};

INSTANTIATE_TYPED_TEST_SUITE_P(Asio, EventLoopConformance, AsioWorld);

TEST(AsioLoop, TakesPostsFromOtherThreads) {
  AsioLoop loop;
  int count = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n < 500; ++n) loop.Post([&] { ++count; });
    });
  }
  EXPECT_TRUE(loop.RunUntil([&] { return count == 2000; }, kLimit));
  for (std::thread& thread : threads) thread.join();
}

TEST(AsioLoop, StopsARunFromAnyThreadAndRunsAgain) {
  AsioLoop loop;
  std::thread stopper([&] { loop.Stop(); });
  loop.Run();
  stopper.join();
  bool ran = false;
  loop.Post([&] {
    ran = true;
    loop.Stop();
  });
  loop.Run();
  EXPECT_TRUE(ran);
}

TEST(AsioLoop, SaysThatAConditionDidNotComeInTime) {
  AsioLoop loop;
  EXPECT_FALSE(loop.RunUntil([] { return false; }, Milliseconds(1)));
  EXPECT_TRUE(loop.RunUntil([] { return true; }, Duration(0)));
}

TEST(AsioLoop, DropsTasksThatOwnTimersAndPost) {
  struct PostsWhenDropped {
    explicit PostsWhenDropped(EventLoop& its_loop) : loop(its_loop), timer(its_loop) {}
    ~PostsWhenDropped() {
      loop.Post([] {});
    }
    EventLoop& loop;
    Timer timer;
  };
  auto loop = std::make_unique<AsioLoop>();
  auto owner = std::make_shared<PostsWhenDropped>(*loop);
  const std::weak_ptr<PostsWhenDropped> dropped = owner;
  owner->timer.Set(Seconds(100), [] {});
  loop->Post([owner] {});
  loop->After(Seconds(100), [owner] {});
  owner.reset();
  loop.reset();
  EXPECT_TRUE(dropped.expired());
}

TEST(AsioLoop, WatchesADescriptorForAsLongAsItIsReadable) {
  AsioLoop loop;
  const int event = ::eventfd(3, EFD_CLOEXEC | EFD_NONBLOCK | EFD_SEMAPHORE);
  ASSERT_GE(event, 0);
  int count = 0;
  auto watch = loop.WatchReadable(event, [&] {
    uint64_t one = 0;
    if (::read(event, &one, sizeof(one)) == sizeof(one)) ++count;
  });
  ASSERT_TRUE(watch.ok()) << watch.status().ToString();
  ASSERT_TRUE(loop.RunUntil([&] { return count == 3; }, kLimit));
  const uint64_t two = 2;
  ASSERT_EQ(::write(event, &two, sizeof(two)), static_cast<ssize_t>(sizeof(two)));
  EXPECT_TRUE(loop.RunUntil([&] { return count == 5; }, kLimit));
  ::close(event);
}

TEST(AsioLoop, SeesTheEndOfASocketInEachWatch) {
  AsioLoop loop;
  int pair[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
  bool noticed = false, ended = false;
  auto other = loop.WatchReadable(pair[0], [&] { noticed = true; });
  ASSERT_TRUE(other.ok());
  auto read = loop.WatchReadable(pair[0], [&] {
    char byte;
    ended = ::read(pair[0], &byte, 1) == 0;
  });
  ASSERT_TRUE(read.ok());
  ::close(pair[1]);
  EXPECT_TRUE(loop.RunUntil([&] { return noticed && ended; }, kLimit));
  ::close(pair[0]);
}

TEST(AsioLoop, LetsATaskEndItsWatch) {
  AsioLoop loop;
  const int event = ::eventfd(1, EFD_CLOEXEC | EFD_NONBLOCK);
  int count = 0;
  std::unique_ptr<Watch> watch;
  watch = *loop.WatchReadable(event, [&] {
    ++count;
    watch.reset();
  });
  ASSERT_TRUE(loop.RunUntil([&] { return count == 1; }, kLimit));
  EXPECT_FALSE(loop.RunUntil([&] { return count > 1; }, Milliseconds(5)));
  ::close(event);
}

TEST(AsioLoop, RefusesToWatchAClosedDescriptor) {
  AsioLoop loop;
  EXPECT_FALSE(loop.WatchReadable(-1, [] {}).ok());
}

TEST(AsioLoop, TellsSignals) {
  AsioLoop loop;
  std::vector<int> seen;
  ASSERT_TRUE(loop.OnSignal({SIGUSR1, SIGUSR2}, [&](int signal) { seen.push_back(signal); }).ok());
  ::raise(SIGUSR1);
  ASSERT_TRUE(loop.RunUntil([&] { return seen.size() == 1; }, kLimit));
  ::raise(SIGUSR2);
  ASSERT_TRUE(loop.RunUntil([&] { return seen.size() == 2; }, kLimit));
  EXPECT_EQ(seen, (std::vector<int>{SIGUSR1, SIGUSR2}));
}

TEST(AsioLoop, RefusesASignalThatCannotBeCaught) {
  AsioLoop loop;
  EXPECT_FALSE(loop.OnSignal({SIGKILL}, [](int) {}).ok());
}

TEST(WorkerPool, RunsWorkOnSeveralThreadsAtOnce) {
  AsioLoop loop;
  WorkerPool pool(loop, 2);
  // Each of two works waits for the other: one thread alone would never end.
  const int first = ::eventfd(0, EFD_CLOEXEC), second = ::eventfd(0, EFD_CLOEXEC);
  const auto meet = [](int mine, int other) {
    uint64_t one = 1;
    ASSERT_EQ(::write(mine, &one, sizeof(one)), static_cast<ssize_t>(sizeof(one)));
    ASSERT_EQ(::read(other, &one, sizeof(one)), static_cast<ssize_t>(sizeof(one)));
  };
  int done = 0;
  pool.Run([&] { meet(first, second); }, [&] { ++done; });
  pool.Run([&] { meet(second, first); }, [&] { ++done; });
  EXPECT_TRUE(loop.RunUntil([&] { return done == 2; }, kLimit));
  ::close(first);
  ::close(second);
}

TEST(SystemRandom, GivesDifferentNumbers) {
  SystemRandom random;
  EXPECT_NE(random.Next(), random.Next());
}

}  // namespace
}  // namespace primus::env
