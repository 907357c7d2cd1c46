// The one thread of a role: timers, posted work, and the clock that both go by.
//
// Everything that a role's shell does runs on its loop, so shells need no locks. Two
// implementations: `AsioLoop` (real) and the simulator's virtual loop. Tasks must not block; what
// does goes to a ThreadPool.
#pragma once

#include <cstdint>
#include <functional>

#include "primus/base/time.h"

namespace primus::env {

using Task = std::function<void()>;

class Clock {
 public:
  virtual ~Clock() = default;
  virtual Now Get() const = 0;
};

// Names a pending timer; 0 is none.
using TimerId = uint64_t;

class EventLoop : public Clock {
 public:
  // Runs `task` on the loop, after what is already posted. Any thread may call it.
  virtual void Post(Task task) = 0;
  // Runs `task` once, `delay` from now. Loop thread only.
  virtual TimerId After(Duration delay, Task task) = 0;
  // Forgets a timer; one that has run, or 0, is ignored. Loop thread only.
  virtual void Cancel(TimerId timer) = 0;
};

// Cancels its timer when destroyed or set again. Loop thread only; the loop outlives it.
class Timer {
 public:
  explicit Timer(EventLoop& loop) : loop_(loop) {}
  ~Timer() { Cancel(); }
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  void Set(Duration delay, Task task) {
    Cancel();
    id_ = loop_.After(delay, [this, task = std::move(task)] {
      id_ = 0;
      task();
    });
  }
  void Cancel() {
    loop_.Cancel(id_);
    id_ = 0;
  }
  bool pending() const { return id_ != 0; }

 private:
  EventLoop& loop_;
  TimerId id_ = 0;
};

}  // namespace primus::env
