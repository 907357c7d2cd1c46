#include "primus/executor/task_reader.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "primus/base/check.h"

namespace primus::executor {
namespace {

constexpr int kFailuresMax = 5;
constexpr Duration kBackOffFirst = Milliseconds(200);

// A file that changes (kAborted) may be the planned one again; rows that take more memory than
// there is (kResourceExhausted) take as much the next time.
bool MayReadLater(StatusCode code) {
  if (code == StatusCode::kAborted) return true;
  return IsTransient(code) && code != StatusCode::kResourceExhausted;
}

// The positions that a chunk accounts for; nothing when one is in it twice.
std::optional<batch::IntervalSet> PositionsOf(const batch::EncodedRows& rows) {
  std::vector<uint64_t> sorted = rows.positions;
  std::sort(sorted.begin(), sorted.end());
  batch::IntervalSet positions;
  for (std::size_t i = 0; i < sorted.size();) {
    std::size_t end = i + 1;
    while (end < sorted.size() && sorted[end] == sorted[end - 1] + 1) ++end;
    if (positions.Add(sorted[i], sorted[end - 1] + 1) != end - i) return std::nullopt;
    i = end;
  }
  for (const batch::Span& span : rows.skipped) {
    if (span.begin >= span.end || span.task != rows.task) return std::nullopt;
    if (positions.Add(span.begin, span.end) != span.end - span.begin) return std::nullopt;
  }
  return positions;
}

}  // namespace

void TaskReader::Begin(LeasedTask task) {
  PRIMUS_CHECK(idle(), "one task at a time");
  Current& current = current_.emplace();
  current.covered = task.done;
  current.task = std::move(task);
}

std::optional<TaskReader::Order> TaskReader::TryOrder(Instant now) {
  if (!current_ || current_->busy || now < current_->not_before) return std::nullopt;
  current_->busy = true;
  if (current_->read != 0) return ReadRows{.read = current_->read};
  current_->read = ++reads_;
  return OpenTask{.read = current_->read,
                  .plan = current_->task.plan,
                  .scope = current_->task.scope,
                  .skip = current_->covered};
}

Status TaskReader::Came(const batch::EncodedRows& rows) {
  current_->busy = false;
  const std::optional<batch::IntervalSet> positions = PositionsOf(rows);
  const uint64_t end = positions && !positions->empty() ? positions->intervals().back().end : 0;
  if (rows.task != current_->task.plan.id || !positions || end > current_->task.plan.rows ||
      current_->covered.Add(*positions) != positions->size()) {
    return InTask(InternalError("a position came twice, or is not of the task"));
  }
  return OkStatus();
}

Status TaskReader::Ended() {
  const uint64_t rows = current_->task.plan.rows;
  if (current_->covered.size() != rows) {
    return InTask(DataLossError("only " + std::to_string(current_->covered.size()) + " of " +
                                std::to_string(rows) + " rows came"));
  }
  current_.reset();
  return OkStatus();
}

Status TaskReader::Failed(const Status& error, Instant now) {
  current_->busy = false;
  current_->read = 0;
  if (!MayReadLater(error.code()) || ++current_->failures > kFailuresMax) return InTask(error);
  current_->not_before = now + kBackOffFirst * (1 << (current_->failures - 1));
  return OkStatus();
}

std::optional<Instant> TaskReader::next_wake() const {
  if (!current_ || current_->busy) return std::nullopt;
  return current_->not_before;
}

Status TaskReader::InTask(const Status& error) const {
  const data::TaskPlan& plan = current_->task.plan;
  return error.WithContext("reading stream " + plan.stream + ", window " + plan.window);
}

}  // namespace primus::executor
