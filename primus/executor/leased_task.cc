#include "primus/executor/leased_task.h"

#include <string>

#include "proto/wire/control.pb.h"

namespace primus::executor {
namespace {

WallTime AtNanos(int64_t nanos) { return WallTime(Duration(nanos)); }

Status Malformed(const std::string& what) {
  return InternalError("a lease that this executor does not understand: " + what);
}

Result<data::PhaseScope> ReadScope(const wire::PhaseScope& from) {
  if (from.purpose() > static_cast<uint32_t>(batch::Purpose::kProgressive)) {
    return Malformed("purpose " + std::to_string(from.purpose()));
  }
  data::PhaseScope scope;
  scope.phase = from.phase();
  scope.pass = from.pass();
  scope.purpose = static_cast<batch::Purpose>(from.purpose());
  if (from.has_from_nanos()) scope.from = AtNanos(from.from_nanos());
  if (from.has_to_nanos()) scope.to = AtNanos(from.to_nanos());
  scope.shuffle = from.shuffle();
  scope.shuffle_seed = from.shuffle_seed();
  return scope;
}

data::TaskPlan ReadPlan(const wire::TaskPlan& from) {
  data::TaskPlan plan;
  plan.id = from.id();
  plan.stream = from.stream();
  plan.window = from.window();
  plan.rows = from.rows();
  for (const wire::Split& split : from.splits()) {
    plan.splits.push_back({.path = split.path(),
                           .version = split.version(),
                           .first_row = split.first_row(),
                           .rows = split.rows()});
  }
  return plan;
}

Result<batch::IntervalSet> ReadDone(const wire::Spans& from, uint64_t rows) {
  if (from.bounds_size() % 2 != 0) return Malformed("an interval without an end");
  batch::IntervalSet done;
  for (int i = 0; i < from.bounds_size(); i += 2) {
    const uint64_t begin = from.bounds(i);
    const uint64_t end = from.bounds(i + 1);
    if (begin >= end || end > rows) return Malformed("an interval outside the task");
    done.Add(begin, end);
  }
  return done;
}

Result<LeasedTask> ReadTask(const wire::LeasedTask& from) {
  LeasedTask task;
  task.plan = ReadPlan(from.task());
  PRIMUS_ASSIGN(task.scope, ReadScope(from.scope()));
  task.generation = from.generation();
  PRIMUS_ASSIGN(task.done, ReadDone(from.done(), task.plan.rows));
  return task;
}

}  // namespace

Result<LeaseAnswer> ReadLeaseAnswer(const wire::LeaseResponse& response) {
  LeaseAnswer answer;
  switch (response.state()) {
    case wire::GRANTED:
      answer.state = LeaseAnswer::State::kGranted;
      for (const wire::LeasedTask& from : response.tasks()) {
        PRIMUS_ASSIGN(LeasedTask task, ReadTask(from));
        answer.tasks.push_back(std::move(task));
      }
      return answer;
    case wire::WAIT:
      answer.state = LeaseAnswer::State::kWait;
      return answer;
    case wire::DRAINED:
      answer.state = LeaseAnswer::State::kDrained;
      return answer;
    default:
      return Malformed("state " + std::to_string(response.state()));
  }
}

}  // namespace primus::executor
