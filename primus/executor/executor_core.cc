#include "primus/executor/executor_core.h"

#include <algorithm>
#include <utility>

namespace primus::executor {

std::vector<Effect> ExecutorCore::On(Event event, Instant now) {
  std::visit([&](auto&& e) { Take(std::move(e), now); }, std::move(event));
  if (working()) GoOn(now);
  return std::exchange(effects_, {});
}

void ExecutorCore::Take(DirectiveAdopted event, Instant now) {
  standing_ = event.standing;
  if (standing_ == Standing::kAttached) return;
  if (standing_ == Standing::kFenced) {
    Drop(now);
    flow_ = Stamp();
    return;
  }
  if (event.flow != flow_) Drop(now);
  flow_ = event.flow;
  for (Rings::RingId ring : rings_.Align(std::move(event.trainers), now)) {
    effects_.push_back(CloseRing{ring});
  }
  leases_.AskSoon(now);
}

void ExecutorCore::Take(LeaseAnswered event, Instant now) {
  leases_.Answered(event.request, std::move(event.answer), now);
}

void ExecutorCore::Take(RowsCame event, Instant /*now*/) {
  if (!reader_.Is(event.read)) return;
  if (Status status = reader_.Came(*event.rows); !status.ok()) return Fail(status);
  cutter_.Add(reader_.scope(), std::move(event.rows));
}

void ExecutorCore::Take(TaskEnded event, Instant /*now*/) {
  if (!reader_.Is(event.read)) return;
  effects_.push_back(CloseTask{});
  if (Status status = reader_.Ended(); !status.ok()) Fail(status);
}

void ExecutorCore::Take(ReadFailed event, Instant now) {
  if (!reader_.Is(event.read)) return;
  effects_.push_back(CloseTask{});
  if (Status status = reader_.Failed(event.error, now); !status.ok()) Fail(status);
}

void ExecutorCore::Take(RingOpened event, Instant /*now*/) { rings_.Opened(event.ring); }

void ExecutorCore::Take(RingClosed event, Instant now) {
  rings_.Broken(event.ring, now);
  // Another build or layout does not go away by trying again.
  if (event.reason.code() == StatusCode::kInvalidArgument) Fail(event.reason);
}

void ExecutorCore::Take(SlotReserved event, Instant /*now*/) { rings_.Reserved(event.ring); }

void ExecutorCore::Take(BatchRefused event, Instant /*now*/) { Fail(event.error); }

void ExecutorCore::Take(Woken /*event*/, Instant /*now*/) {}

void ExecutorCore::Drop(Instant now) {
  for (Rings::RingId ring : rings_.Clear()) effects_.push_back(CloseRing{ring});
  if (!reader_.idle()) effects_.push_back(CloseTask{});
  leases_.Clear(now);
  reader_.Clear();
  cutter_.Clear();
}

void ExecutorCore::Fail(const Status& error) {
  failed_ = true;
  effects_.push_back(FailJob{error});
}

void ExecutorCore::GoOn(Instant now) {
  if (Status overdue = rings_.Overdue(now); !overdue.ok()) {
    failed_ = true;
    effects_.push_back(EndReplica{overdue});
    return;
  }
  for (Rings::Opening& opening : rings_.TakeDue(now)) {
    effects_.push_back(OpenRing{opening.ring, std::move(opening.trainer), flow_});
  }
  Send();
  Read(now);
  if (auto ask = leases_.TryAsk(now)) effects_.push_back(AskLease{ask->request, ask->tasks_max});
}

void ExecutorCore::Send() {
  const bool all_read = leases_.drained() && reader_.idle();
  while (cutter_.HasWhole() || (all_read && cutter_.HasRest())) {
    const auto ring = rings_.Next(cutter_.purpose());
    if (!ring) return;
    rings_.Sent(*ring);
    effects_.push_back(SendBatch{*ring, cutter_.Take()});
  }
}

void ExecutorCore::Read(Instant now) {
  if (!may_read()) return;
  if (reader_.idle()) {
    if (auto task = leases_.Take()) reader_.Begin(std::move(*task));
  }
  if (auto order = reader_.TryOrder(now)) {
    std::visit([&](auto&& o) { effects_.push_back(std::move(o)); }, std::move(*order));
  }
}

std::optional<Instant> ExecutorCore::next_wake() const {
  if (!working()) return std::nullopt;
  std::optional<Instant> wake = rings_.next_wake();
  const auto earlier = [&](std::optional<Instant> other) {
    if (other) wake = wake ? std::min(*wake, *other) : *other;
  };
  earlier(leases_.next_wake());
  if (may_read()) earlier(reader_.next_wake());
  return wake;
}

}  // namespace primus::executor
