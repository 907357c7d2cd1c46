#include "primus/env/asio_loop.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <map>
#include <utility>

#include "primus/base/check.h"
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>

namespace primus::env {
namespace {

namespace asio = boost::asio;
using Descriptor = asio::posix::stream_descriptor;

Instant MonotonicNow() {
  return Instant(
      std::chrono::duration_cast<Duration>(std::chrono::steady_clock::now().time_since_epoch()));
}

// Signals are awaited one at a time, for as long as the loop lives.
struct SignalWait {
  SignalWait(asio::io_context& context, std::function<void(int)> callback)
      : set(context), task(std::move(callback)) {}
  void Arm() {
    set.async_wait([this](const boost::system::error_code& error, int signal) {
      if (error) return;
      Arm();
      task(signal);
    });
  }
  asio::signal_set set;
  std::function<void(int)> task;
};

// Shared with the pending wait, so that a watch may end inside its own task.
class DescriptorWait final : public std::enable_shared_from_this<DescriptorWait> {
 public:
  DescriptorWait(asio::io_context& context, Task task)
      : descriptor_(context), task_(std::move(task)) {}

  Status Open(int fd) {
    // A duplicate has its own place in epoll: one descriptor may have several watches, and its
    // owner may close it at any time.
    const int copy = ::fcntl(fd, F_DUPFD_CLOEXEC, 0);
    if (copy < 0) return ErrnoError("watching a descriptor", errno);
    boost::system::error_code error;
    descriptor_.assign(copy, error);
    if (error) {
      ::close(copy);
      return ErrnoError("watching a descriptor", error.value());
    }
    return OkStatus();
  }
  void Arm() {
    descriptor_.async_wait(Descriptor::wait_read,
                           [self = shared_from_this()](const boost::system::error_code& error) {
                             if (error || self->closed_) return;
                             self->task_();
                             if (!self->closed_) self->Arm();
                           });
  }
  void Close() {
    closed_ = true;
    boost::system::error_code ignored;  // the duplicate is closed in any case
    descriptor_.close(ignored);
  }

 private:
  Descriptor descriptor_;
  Task task_;
  bool closed_ = false;
};

class DescriptorWatch final : public Watch {
 public:
  explicit DescriptorWatch(std::shared_ptr<DescriptorWait> wait) : wait_(std::move(wait)) {}
  ~DescriptorWatch() override { wait_->Close(); }

 private:
  std::shared_ptr<DescriptorWait> wait_;
};

}  // namespace

struct AsioLoop::State {
  // What tasks may still reach while the context drops them stands above it.
  std::map<TimerId, asio::steady_timer> timers;
  TimerId last_timer = 0;
  std::atomic<bool> closed = false;
  asio::io_context context{1};
  asio::executor_work_guard<asio::io_context::executor_type> work{context.get_executor()};
  std::vector<std::unique_ptr<SignalWait>> signals;
};

AsioLoop::AsioLoop() : state_(std::make_unique<State>()) {}

AsioLoop::~AsioLoop() {
  // Dropped tasks may own timers and may post; both must find a loop that takes no more.
  state_->closed = true;
  std::map<TimerId, asio::steady_timer> timers;
  timers.swap(state_->timers);
}

Now AsioLoop::Get() const {
  return {.monotonic = MonotonicNow(),
          .wall = WallTime(std::chrono::duration_cast<Duration>(
              std::chrono::system_clock::now().time_since_epoch()))};
}

void AsioLoop::Post(Task task) {
  if (state_->closed) return;
  asio::post(state_->context, std::move(task));
}

TimerId AsioLoop::After(Duration delay, Task task) {
  if (state_->closed) return 0;
  const TimerId id = ++state_->last_timer;
  const auto due =
      std::chrono::steady_clock::now() +
      std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::max(delay, Duration(0)));
  auto& timer = state_->timers.try_emplace(id, state_->context, due).first->second;
  timer.async_wait(
      [state = state_.get(), id, task = std::move(task)](const boost::system::error_code& error) {
        // A timer that has expired already cannot be cancelled in Asio; its absence says so.
        if (error || state->timers.erase(id) == 0) return;
        task();
      });
  return id;
}

void AsioLoop::Cancel(TimerId timer) {
  // The entry leaves the map before the timer is destroyed: dropping its task may come back here.
  auto node = state_->timers.extract(timer);
}

void AsioLoop::Run() {
  state_->context.run();
  state_->context.restart();
}

bool AsioLoop::RunUntil(const std::function<bool()>& condition, Duration limit) {
  const auto end = std::chrono::steady_clock::now() + limit;
  bool held = condition();
  while (!held && state_->context.run_one_until(end) > 0) held = condition();
  // A Stop that came with the condition is left for the next run.
  if (!held && state_->context.stopped()) state_->context.restart();
  return held;
}

void AsioLoop::Stop() { state_->context.stop(); }

Result<std::unique_ptr<Watch>> AsioLoop::WatchReadable(int fd, Task task) {
  auto wait = std::make_shared<DescriptorWait>(state_->context, std::move(task));
  PRIMUS_TRY(wait->Open(fd));
  wait->Arm();
  return std::unique_ptr<Watch>(std::make_unique<DescriptorWatch>(std::move(wait)));
}

Status AsioLoop::OnSignal(const std::vector<int>& signals, std::function<void(int)> task) {
  auto wait = std::make_unique<SignalWait>(state_->context, std::move(task));
  for (const int signal : signals) {
    boost::system::error_code error;
    wait->set.add(signal, error);
    if (error) return ErrnoError("waiting for signal " + std::to_string(signal), error.value());
  }
  wait->Arm();
  state_->signals.push_back(std::move(wait));
  return OkStatus();
}

}  // namespace primus::env
