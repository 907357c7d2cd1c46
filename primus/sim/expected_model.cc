#include "primus/sim/expected_model.h"

#include <string>

#include "primus/data/task_packing.h"

namespace primus::sim {
namespace {

constexpr uint64_t kOrdinalBits = 40;  // of a task's id; the phase stands above

Status Differs(uint64_t key, int64_t found, int64_t expected) {
  return InternalError("key " + std::to_string(key) + " was trained " + std::to_string(found) +
                       " times, its position says " + std::to_string(expected));
}

}  // namespace

ExpectedModel::ExpectedModel(const CountedDataOptions& data, uint64_t task_rows_max) {
  CountedPlanner planner(data);
  for (const std::string& window : planner.Windows("")) {
    const Result<data::WindowPlan> plan = planner.Plan("", window, data::Unready::kWait);
    for (const data::TaskPlan& task : data::PackTasks("", window, plan->splits, task_rows_max)) {
      std::vector<CountedRow>& rows = tasks_.emplace_back();
      for (uint64_t position = 0; position < task.rows; ++position) {
        rows.push_back(CountedRowAt(task, position));
      }
    }
  }
}

Status ExpectedModel::Check(const data::Position& position, const KeyCounts& model) const {
  const data::RowCounts counts = CountsAt(position);
  if (position.counts != counts) {
    return InternalError("counts of complete tasks: read " + std::to_string(position.counts.read) +
                         ", must be " + std::to_string(counts.read));
  }
  KeyCounts expected;
  for (std::size_t ordinal = 0; ordinal < tasks_.size(); ++ordinal) {
    const int64_t times = position.phase + (ordinal < position.tasks_done ? 1 : 0);
    for (const CountedRow& row : tasks_[ordinal]) {
      if (row.key != 0 && times > 0) expected[row.key] += times;
    }
  }
  PRIMUS_TRY(AddOpen(position, &expected));
  for (const auto& [key, count] : expected) {
    const auto found = model.find(key);
    const int64_t there = found == model.end() ? 0 : found->second;
    if (there != count) return Differs(key, there, count);
  }
  for (const auto& [key, count] : model) {
    // A pull makes an entry before its first push.
    if (count != 0 && !expected.contains(key)) return Differs(key, count, 0);
  }
  return OkStatus();
}

Status ExpectedModel::AddOpen(const data::Position& position, KeyCounts* expected) const {
  for (const batch::Span& span : position.open) {
    const uint64_t ordinal = span.task & ((uint64_t{1} << kOrdinalBits) - 1);
    const bool known = span.task >> kOrdinalBits == position.phase && ordinal < tasks_.size() &&
                       ordinal >= position.tasks_done && span.end <= tasks_[ordinal].size();
    if (!known) return InternalError("a span of no open task: " + std::to_string(span.task));
    for (uint64_t row = span.begin; row < span.end; ++row) {
      const CountedRow& counted = tasks_[ordinal][row];
      if (counted.kind != span.kind) {
        return InternalError("row " + std::to_string(row) + " of task " +
                             std::to_string(span.task) + " is booked as " +
                             std::string(batch::RowKindName(span.kind)));
      }
      if (counted.key != 0) ++(*expected)[counted.key];
    }
  }
  return OkStatus();
}

data::RowCounts ExpectedModel::CountsAt(const data::Position& position) const {
  data::RowCounts counts;
  for (std::size_t ordinal = 0; ordinal < tasks_.size(); ++ordinal) {
    const uint64_t times = position.phase + (ordinal < position.tasks_done ? 1 : 0);
    for (const CountedRow& row : tasks_[ordinal]) {
      counts.kinds[static_cast<std::size_t>(row.kind)] += times;
      if (row.kind != batch::RowKind::kExcluded) counts.read += times;
    }
  }
  return counts;
}

}  // namespace primus::sim
