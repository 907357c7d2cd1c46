// Who reads what, and what became of every row: the tasks of one phase, their leases and spans.
//
// A task is free, leased or complete. Each lease has a generation, higher than every one before it.
// A task is complete when the spans recorded for it cover all its positions; no position is ever
// covered twice (kInternal: a row would count twice). Tasks are added in order as windows are
// planned. Pure: no I/O, no clock.
// Owned by the master's core, which grants in Core::GrantLeases (primus/master/core.cc).
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "primus/base/ids.h"
#include "primus/base/result.h"
#include "primus/batch/coverage.h"
#include "primus/batch/interval_set.h"
#include "primus/data/row_stream.h"

namespace primus::data {

// The terms of the balance, over all phases of the surviving history.
struct RowCounts {
  uint64_t read = 0;  // rows of tasks ever opened, less those excluded
  std::array<uint64_t, batch::kRowKinds> kinds{};
  uint64_t in_flight = 0;  // of opened tasks, not accounted for yet

  uint64_t of(batch::RowKind kind) const { return kinds[static_cast<std::size_t>(kind)]; }
  bool operator==(const RowCounts&) const = default;
};

// read = trained + … + refused + in flight?
Status CheckBalance(const RowCounts& counts);

struct Lease {
  TaskPlan task;
  Generation generation = 0;
  batch::IntervalSet done;  // accounted for already: not to be read
};

// Where the data stands. What a save point holds.
struct Position {
  uint32_t phase = 0;
  uint64_t tasks_done = 0;        // tasks with an ordinal below are complete
  std::vector<batch::Span> open;  // recorded for tasks beyond
  RowCounts counts;               // of complete tasks, this phase's and all before
};

class Ledger {
 public:
  // `attempt` stands in the upper half of every generation.
  explicit Ledger(uint64_t attempt) : next_generation_((attempt << 32) + 1) {}

  // Returns to `position`: leases end, spans and counts are the position's. Tasks already added for
  // the same phase stay; those of another are dropped and must be added again.
  void Restore(const Position& position);
  // The next task of the phase, in order. Gives it its id.
  Status Add(TaskPlan task);
  // No more tasks will be added in this phase.
  void EndOfTasks() { all_added_ = true; }

  // Leases the first free task. Nothing when there is none.
  std::optional<Lease> Grant(Incarnation holder);
  // Accounts for rows. Spans of tasks that are not added yet wait for them.
  Status Record(std::span<const batch::Span> spans);
  // Frees the tasks that `holder` has not completed.
  void Release(Incarnation holder);

  bool all_added() const { return all_added_; }
  uint64_t tasks() const { return tasks_.size(); }
  uint64_t free_tasks() const { return free_; }
  bool PhaseComplete() const { return all_added_ && complete_ == tasks_.size(); }
  uint32_t phase() const { return phase_; }
  // The window of the first task that is not complete; empty when there is none.
  std::string CurrentWindow() const;

  RowCounts Counts() const;
  // Of a complete phase: the start of the next one.
  Position Save() const;

 private:
  struct TaskState {
    TaskPlan plan;
    std::array<batch::IntervalSet, batch::kRowKinds> by_kind;  // emptied below first_open_
    batch::IntervalSet covered;                                // their union
    Generation generation = 0;
    Incarnation holder = 0;  // 0: free or complete
    bool opened = false;
    bool complete = false;
  };
  Status RecordIn(TaskState& task, const batch::Span& span);
  void Open(TaskState& task);
  void Complete(TaskState& task);
  TaskId IdOf(uint64_t ordinal) const { return (uint64_t{phase_} << 40) + ordinal; }

  Generation next_generation_;
  uint32_t phase_ = 0;
  bool all_added_ = false;
  std::vector<TaskState> tasks_;
  uint64_t free_ = 0;
  uint64_t complete_ = 0;
  uint64_t first_open_ = 0;     // tasks below are complete
  uint64_t restored_done_ = 0;  // tasks to be added below this ordinal are complete
  std::map<TaskId, std::vector<batch::Span>> waiting_;  // of tasks not added yet
  RowCounts counts_;  // in_flight stays 0 here: Counts() sums it over open tasks
};

}  // namespace primus::data
