#include "primus/data/ledger.h"

#include <algorithm>
#include <utility>

namespace primus::data {
namespace {

using batch::RowKind;
using batch::Span;

std::string Describe(const Span& span) {
  return std::string(batch::RowKindName(span.kind)) + " rows [" + std::to_string(span.begin) +
         ", " + std::to_string(span.end) + ") of task " + std::to_string(span.task);
}

void AddSpans(TaskId task, const std::array<batch::IntervalSet, batch::kRowKinds>& by_kind,
              std::vector<Span>& spans) {
  for (std::size_t kind = 0; kind < batch::kRowKinds; ++kind) {
    for (const batch::Interval& interval : by_kind[kind].intervals()) {
      spans.push_back({task, static_cast<RowKind>(kind), interval.begin, interval.end});
    }
  }
}

}  // namespace

Status CheckBalance(const RowCounts& counts) {
  uint64_t sum = counts.in_flight;
  for (std::size_t kind = 0; kind < batch::kRowKinds; ++kind) {
    if (static_cast<RowKind>(kind) != RowKind::kExcluded) sum += counts.kinds[kind];
  }
  if (sum == counts.read) return OkStatus();
  return InternalError("rows do not balance: read " + std::to_string(counts.read) +
                       ", accounted for " + std::to_string(sum));
}

void Ledger::Restore(const Position& position) {
  if (position.phase != phase_) {
    tasks_.clear();
    all_added_ = false;
  }
  phase_ = position.phase;
  counts_ = position.counts;
  restored_done_ = position.tasks_done;
  waiting_.clear();
  for (const Span& span : position.open) waiting_[span.task].push_back(span);
  std::vector<TaskState> tasks = std::exchange(tasks_, {});
  free_ = 0;
  complete_ = 0;
  first_open_ = 0;
  const bool all_added = all_added_;
  for (TaskState& task : tasks) {
    const Status added = Add(std::move(task.plan));
    PRIMUS_CHECK(added.ok(), added.ToString());
  }
  all_added_ = all_added;
}

Status Ledger::Add(TaskPlan plan) {
  const uint64_t ordinal = tasks_.size();
  plan.id = IdOf(ordinal);
  TaskState& task = tasks_.emplace_back();
  task.plan = std::move(plan);
  if (ordinal < restored_done_) {
    task.opened = true;
    Complete(task);
    return OkStatus();
  }
  ++free_;
  const auto waiting = waiting_.extract(task.plan.id);
  if (waiting.empty()) return OkStatus();
  for (const Span& span : waiting.mapped()) PRIMUS_TRY(RecordIn(task, span));
  return OkStatus();
}

std::optional<Lease> Ledger::Grant(Incarnation holder) {
  for (uint64_t i = first_open_; i < tasks_.size() && free_ > 0; ++i) {
    TaskState& task = tasks_[i];
    if (task.complete || task.holder != 0) continue;
    --free_;
    task.holder = holder;
    task.generation = next_generation_++;
    Open(task);
    return Lease{task.plan, task.generation, task.covered};
  }
  return std::nullopt;
}

Status Ledger::Record(std::span<const Span> spans) {
  for (const Span& span : spans) {
    if (static_cast<std::size_t>(span.kind) >= batch::kRowKinds) {
      return InternalError("a span of no known kind, of task " + std::to_string(span.task));
    }
    if (span.task >> 40 != phase_) {
      return InternalError("a span of another phase: " + Describe(span));
    }
    const uint64_t ordinal = span.task - IdOf(0);
    if (ordinal >= tasks_.size()) {
      if (all_added_) return InternalError("a span of an unknown task: " + Describe(span));
      waiting_[span.task].push_back(span);
      continue;
    }
    PRIMUS_TRY(RecordIn(tasks_[ordinal], span));
  }
  return OkStatus();
}

Status Ledger::RecordIn(TaskState& task, const Span& span) {
  if (span.begin >= span.end || span.end > task.plan.rows) {
    return InternalError("a span outside its task: " + Describe(span));
  }
  if (task.complete || task.covered.Intersects(span.begin, span.end)) {
    return InternalError("rows counted twice: " + Describe(span));
  }
  Open(task);
  const uint64_t rows = span.end - span.begin;
  task.covered.Add(span.begin, span.end);
  task.by_kind[static_cast<std::size_t>(span.kind)].Add(span.begin, span.end);
  counts_.kinds[static_cast<std::size_t>(span.kind)] += rows;
  if (span.kind == RowKind::kExcluded) counts_.read -= rows;
  if (task.covered.size() == task.plan.rows) {
    if (task.holder == 0) --free_;
    Complete(task);
  }
  return OkStatus();
}

void Ledger::Open(TaskState& task) {
  if (!task.opened) counts_.read += task.plan.rows;
  task.opened = true;
}

void Ledger::Complete(TaskState& task) {
  task.complete = true;
  task.holder = 0;
  ++complete_;
  while (first_open_ < tasks_.size() && tasks_[first_open_].complete) {
    tasks_[first_open_].covered = {};
    tasks_[first_open_].by_kind = {};
    ++first_open_;
  }
}

void Ledger::Release(Incarnation holder) {
  for (uint64_t i = first_open_; i < tasks_.size(); ++i) {
    TaskState& task = tasks_[i];
    if (task.complete || task.holder != holder) continue;
    task.holder = 0;
    ++free_;
  }
}

std::string Ledger::CurrentWindow() const {
  return first_open_ < tasks_.size() ? tasks_[first_open_].plan.window : std::string();
}

RowCounts Ledger::Counts() const {
  RowCounts counts = counts_;
  for (uint64_t i = first_open_; i < tasks_.size(); ++i) {
    const TaskState& task = tasks_[i];
    if (task.opened && !task.complete) counts.in_flight += task.plan.rows - task.covered.size();
  }
  return counts;
}

Position Ledger::Save() const {
  // Tasks that an earlier life completed count as done before they are added again, and spans that
  // wait for their task are kept.
  const uint64_t done = std::max(first_open_, restored_done_);
  Position position{.phase = phase_, .tasks_done = done, .open = {}, .counts = counts_};
  if (PhaseComplete()) {
    position.phase = phase_ + 1;
    position.tasks_done = 0;
    return position;
  }
  for (uint64_t i = first_open_; i < tasks_.size(); ++i) {
    const TaskState& task = tasks_[i];
    if (!task.opened) continue;
    AddSpans(task.plan.id, task.by_kind, position.open);
    position.counts.read -= task.plan.rows;
    for (std::size_t kind = 0; kind < batch::kRowKinds; ++kind) {
      const uint64_t rows = task.by_kind[kind].size();
      position.counts.kinds[kind] -= rows;
      if (static_cast<RowKind>(kind) == RowKind::kExcluded) position.counts.read += rows;
    }
  }
  for (const auto& [task, spans] : waiting_) {
    position.open.insert(position.open.end(), spans.begin(), spans.end());
  }
  return position;
}

}  // namespace primus::data
