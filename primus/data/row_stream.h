// The rows of one task, encoded: the seam between reading data (an Arrow chain of source, format,
// join, operators) and everything that counts it. The simulator's implementation yields counted
// rows without any file.
//
// The output depends only on the task, the phase and the job: the same rows, in the same order,
// every time. Every position of [0, task.rows) comes exactly once, as a row or in `skipped`,
// except those in `skip`, which do not come at all. Blocks; called on a ThreadPool thread, one
// call at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "primus/base/result.h"
#include "primus/base/time.h"
#include "primus/batch/encoded_rows.h"
#include "primus/batch/interval_set.h"
#include "primus/batch/minibatch.h"

namespace primus::data {

// The smallest readable piece of the base source.
struct Split {
  std::string path;
  uint64_t version = 0;    // hash of size and modification time: a changed file is not the same
  uint64_t first_row = 0;  // rows [first_row, first_row + rows) of the file
  uint64_t rows = 0;       // from the file's own footer
};

// A packed unit of work. Positions count the rows of the splits in order, before any filter.
struct TaskPlan {
  TaskId id = 0;  // unique per job and pass
  std::string stream;
  std::string window;  // "1997-09-20"
  uint64_t rows = 0;
  std::vector<Split> splits;
};

// What of the job a task is read for.
struct PhaseScope {
  uint32_t phase = 0;
  uint32_t pass = 0;
  batch::Purpose purpose = batch::Purpose::kTrain;
  // Rows outside [from, to) in event time, which is inside their window, are kExcluded; nothing
  // when absent.
  std::optional<WallTime> from;
  std::optional<WallTime> to;
  bool shuffle = false;
  uint64_t shuffle_seed = 0;  // of this pass; the order inside a task depends on it and the task
};

class RowStream {
 public:
  virtual ~RowStream() = default;
  // The next rows of the task; nothing at its end. After an error the stream is dead.
  virtual Result<std::optional<batch::EncodedRows>> Next() = 0;
};

class RowStreams {
 public:
  virtual ~RowStreams() = default;
  virtual Result<std::unique_ptr<RowStream>> Open(const TaskPlan& task, const PhaseScope& scope,
                                                  const batch::IntervalSet& skip) = 0;
};

}  // namespace primus::data
