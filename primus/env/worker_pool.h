// The real ThreadPool: a fixed number of threads that take work in the order of the calls.
//
// Made, called and destroyed on the loop thread; the loop outlives it. Work that has not begun when
// the pool is destroyed never runs. The queue is as long as its callers let it be: each of them
// bounds what it has under way.
#pragma once

#include <cstddef>
#include <memory>

#include "primus/env/thread_pool.h"

namespace primus::env {

class WorkerPool final : public ThreadPool {
 public:
  // `threads` is at least 1.
  WorkerPool(EventLoop& loop, std::size_t threads);
  ~WorkerPool() override;
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  void Run(Task work, Task done) override;

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace primus::env
