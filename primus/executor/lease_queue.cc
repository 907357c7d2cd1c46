#include "primus/executor/lease_queue.h"

#include <algorithm>
#include <utility>

namespace primus::executor {
namespace {

// A directive that changes something asks at once, so these only bound what is lost without one.
constexpr Duration kWaitFirst = Milliseconds(5);
constexpr Duration kWaitMax = Milliseconds(200);
constexpr Duration kRetryFirst = Milliseconds(20);
constexpr Duration kRetryMax = Seconds(1);

}  // namespace

std::optional<LeaseQueue::Ask> LeaseQueue::TryAsk(Instant now) {
  if (open_ || now < not_before_ || tasks_.size() >= kTasksAhead) return std::nullopt;
  if (asked_ == 0) asked_ = kTasksAhead - static_cast<uint32_t>(tasks_.size());
  open_ = true;
  return Ask{.request = request_, .tasks_max = asked_};
}

void LeaseQueue::Answered(uint64_t request, Result<LeaseAnswer> answer, Instant now) {
  if (!open_ || request != request_) return;  // of a flow that is over
  open_ = false;
  if (!answer.ok()) return BackOff(kRetryFirst, kRetryMax, now);
  ++request_;
  asked_ = 0;
  if (answer->state != LeaseAnswer::State::kGranted || answer->tasks.empty()) {
    // Sticky over kWait: the phase that was drained waits to be saved.
    drained_ = drained_ || answer->state == LeaseAnswer::State::kDrained;
    return BackOff(kWaitFirst, kWaitMax, now);
  }
  drained_ = false;
  back_off_ = Duration(0);
  not_before_ = now;
  for (LeasedTask& task : answer->tasks) tasks_.push_back(std::move(task));
}

std::optional<LeasedTask> LeaseQueue::Take() {
  if (tasks_.empty()) return std::nullopt;
  LeasedTask task = std::move(tasks_.front());
  tasks_.pop_front();
  return task;
}

std::optional<Instant> LeaseQueue::next_wake() const {
  if (open_ || tasks_.size() >= kTasksAhead) return std::nullopt;
  return not_before_;
}

void LeaseQueue::Clear(Instant now) {
  tasks_.clear();
  ++request_;
  asked_ = 0;
  open_ = false;
  drained_ = false;
  back_off_ = Duration(0);
  not_before_ = now;
}

void LeaseQueue::BackOff(Duration first, Duration max, Instant now) {
  back_off_ = std::clamp(back_off_ * 2, first, max);
  not_before_ = now + back_off_;
}

}  // namespace primus::executor
