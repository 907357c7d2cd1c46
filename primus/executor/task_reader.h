// Reads one leased task after the other, one call at a time, and checks that every position of a
// task comes exactly once.
//
// Pure: it says what to open and read, and is told what came. A transient error opens the task
// again, without what has come already, a bounded number of times.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>

#include "primus/base/status.h"
#include "primus/base/time.h"
#include "primus/batch/encoded_rows.h"
#include "primus/batch/interval_set.h"
#include "primus/executor/leased_task.h"

namespace primus::executor {

using ReadId = uint64_t;  // one opened stream; 0 is none

// Open the task and read its first rows, in place of the stream that was open before.
struct OpenTask {
  ReadId read = 0;
  data::TaskPlan plan;
  data::PhaseScope scope;
  batch::IntervalSet skip;
};
// Read the next rows of the open stream.
struct ReadRows {
  ReadId read = 0;
};

class TaskReader {
 public:
  using Order = std::variant<OpenTask, ReadRows>;

  bool idle() const { return !current_.has_value(); }
  // Only when idle.
  void Begin(LeasedTask task);
  // The call to make now; nothing while one is under way or a retry is not due.
  std::optional<Order> TryOrder(Instant now);

  // The outcome of a call; of one that is not the current read it says false to `Is` and must not
  // be given here.
  bool Is(ReadId read) const { return current_ && current_->busy && current_->read == read; }
  Status Came(const batch::EncodedRows& rows);
  Status Ended();  // idle afterwards
  // OK if the task will be tried again.
  Status Failed(const Status& error, Instant now);

  const data::PhaseScope& scope() const { return current_->task.scope; }  // only when not idle
  std::optional<Instant> next_wake() const;
  void Clear() { current_.reset(); }

 private:
  struct Current {
    LeasedTask task;
    batch::IntervalSet covered;  // accounted for before, or come since
    ReadId read = 0;             // 0: to be opened
    bool busy = false;
    int failures = 0;
    Instant not_before;
  };

  Status InTask(const Status& error) const;

  std::optional<Current> current_;
  ReadId reads_ = 0;
};

}  // namespace primus::executor
