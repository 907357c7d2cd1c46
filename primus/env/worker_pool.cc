#include "primus/env/worker_pool.h"

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "primus/base/check.h"

namespace primus::env {

struct WorkerPool::State {
  struct Job {
    uint64_t number;
    Task work;
  };

  explicit State(EventLoop& pool_loop) : loop(pool_loop) {}

  // Threads know `done` only by its number: it is run and destroyed on the loop.
  void RunThread(const std::weak_ptr<State>& self) {
    for (;;) {
      Job job;
      {
        std::unique_lock lock(mutex);
        ready.wait(lock, [this] { return closed || !jobs.empty(); });
        if (closed) return;
        job = std::move(jobs.front());
        jobs.pop_front();
      }
      job.work();
      job.work = nullptr;
      loop.Post([self, number = job.number] {
        if (const auto state = self.lock()) state->Finish(number);
      });
    }
  }

  void Finish(uint64_t number) {
    const auto node = done.extract(number);
    if (node && node.mapped()) node.mapped()();
  }

  EventLoop& loop;
  // Loop thread only.
  std::map<uint64_t, Task> done;
  uint64_t last_number = 0;
  std::vector<std::thread> threads;

  std::mutex mutex;
  std::condition_variable ready;
  std::deque<Job> jobs;  // under mutex
  bool closed = false;   // under mutex
};

WorkerPool::WorkerPool(EventLoop& loop, std::size_t threads)
    : state_(std::make_shared<State>(loop)) {
  PRIMUS_CHECK(threads > 0, "a pool needs a thread");
  for (std::size_t i = 0; i < threads; ++i) {
    state_->threads.emplace_back(
        [state = state_.get(), self = std::weak_ptr<State>(state_)] { state->RunThread(self); });
  }
}

WorkerPool::~WorkerPool() {
  std::deque<State::Job> dropped;
  {
    const std::lock_guard lock(state_->mutex);
    state_->closed = true;
    dropped.swap(state_->jobs);
  }
  state_->ready.notify_all();
  for (std::thread& thread : state_->threads) thread.join();
  // A `done` that runs right now may have destroyed the pool, and then holds the state.
  std::map<uint64_t, Task> done;
  done.swap(state_->done);
}

void WorkerPool::Run(Task work, Task done) {
  const uint64_t number = ++state_->last_number;
  state_->done.emplace(number, std::move(done));
  {
    const std::lock_guard lock(state_->mutex);
    state_->jobs.push_back({.number = number, .work = std::move(work)});
  }
  state_->ready.notify_one();
}

}  // namespace primus::env
