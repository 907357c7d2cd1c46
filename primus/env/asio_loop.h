// The real event loop of a process: timers, posted work, descriptors and signals over epoll.
//
// The thread in Run or RunUntil is the loop thread; before either is called, the thread that built
// the loop counts as it. Destroying the loop drops what has not run; watches and everything else
// that refers to the loop are destroyed first.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "primus/base/result.h"
#include "primus/env/event_loop.h"

namespace primus::env {

// A standing interest in a descriptor; ends when destroyed. Loop thread only.
class Watch {
 public:
  virtual ~Watch() = default;
};

class AsioLoop final : public EventLoop {
 public:
  AsioLoop();
  ~AsioLoop() override;
  AsioLoop(const AsioLoop&) = delete;
  AsioLoop& operator=(const AsioLoop&) = delete;

  Now Get() const override;
  void Post(Task task) override;
  TimerId After(Duration delay, Task task) override;
  void Cancel(TimerId timer) override;

  // Runs tasks until Stop.
  void Run();
  // Runs tasks until `condition`, asked before the first task and after each one, holds (true), or
  // until `limit` has passed or Stop was called (false).
  bool RunUntil(const std::function<bool()>& condition, Duration limit);
  // Ends the current Run once the running task has returned, or the next one at once. Any thread.
  void Stop();

  // Runs `task` whenever `fd` is readable (at its end, too), again as long as it stays so. The
  // descriptor is made non-blocking; it may be closed before the watch. The task may destroy the
  // watch.
  Result<std::unique_ptr<Watch>> WatchReadable(int fd, Task task);

  // Calls `task` with the number of each of `signals` that arrives, as long as the loop lives;
  // equal signals in a short time may be one call. The signals lose their usual effect.
  Status OnSignal(const std::vector<int>& signals, std::function<void(int)> task);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace primus::env
