// Rows of a task after the join, still in two parts: what the base gave, encoded, and for each
// dimension which of its rows matches. Gathering makes EncodedRows of it, in any order.
//
// Owned by one thread; the chain outlives it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "primus/batch/encoded_rows.h"
#include "primus/batch/interval_set.h"
#include "primus/data/encoded_table.h"
#include "primus/data/row_stream.h"
#include "primus/data/stream_chain.h"
#include "primus/data/window.h"

namespace primus::data {

// A batch of the base's files and the task's position of its first row.
struct TaskBatch {
  const arrow::RecordBatch* batch = nullptr;
  uint64_t position = 0;
  RowOrigin origin;
};

class RowBlock {
 public:
  RowBlock(const StreamChain& chain, TaskId task, const WindowBounds& window)
      : chain_(chain), task_(task), window_(window) {}

  // Appends the rows of the batch that are in the scope's time range and not in `skip`; those
  // outside the range become kExcluded. A time outside the window counts as the nearest inside: the
  // phases choose windows, so a row is where its window is.
  Status Append(const TaskBatch& batch, const PhaseScope& scope, const batch::IntervalSet& skip);

  std::size_t rows() const { return positions_.size(); }
  const std::vector<uint64_t>& positions() const { return positions_; }
  const std::vector<batch::Span>& skipped() const { return skipped_; }

  // The block's rows `order`, in that order, without skipped spans.
  batch::EncodedRows Gather(std::span<const uint32_t> order) const;

 private:
  // Which rows of the batch count.
  Result<std::vector<int64_t>> Select(const TaskBatch& batch, const PhaseScope& scope,
                                      const batch::IntervalSet& skip);
  void GatherOrigin(std::size_t origin, std::span<const int32_t> rows,
                    batch::EncodedRows& out) const;

  const StreamChain& chain_;
  TaskId task_;
  WindowBounds window_;
  std::vector<uint64_t> positions_;
  std::vector<float> labels_;
  EncodedTable base_;
  std::vector<std::vector<int32_t>> matches_;  // by dimension, one a row
  std::vector<batch::Span> skipped_;
};

}  // namespace primus::data
