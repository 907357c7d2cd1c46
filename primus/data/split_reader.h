// Reads the splits of one task one after the other: its rows in file order, as batches of the
// base's columns with their positions.
//
// Owned by one thread; the chain outlives it.
#pragma once

#include <cstdint>
#include <memory>

#include "primus/data/row_block.h"
#include "primus/data/stream_chain.h"

namespace primus::data {

class SplitReader {
 public:
  // Files of which `skip` has every row are not opened.
  SplitReader(const StreamChain& chain, const TaskPlan& task, const batch::IntervalSet& skip,
              int64_t batch_rows)
      : chain_(chain), task_(task), skip_(skip), batch_rows_(batch_rows) {}

  // Appends the next batch to `block`; false at the end of the task.
  Result<bool> ReadInto(const PhaseScope& scope, RowBlock& block);

 private:
  Status OpenSplit(const Split& split);
  Result<bool> ReadNext(const PhaseScope& scope, RowBlock& block);

  const StreamChain& chain_;
  const TaskPlan task_;
  const batch::IntervalSet skip_;
  const int64_t batch_rows_;
  std::size_t next_split_ = 0;
  uint64_t next_position_ = 0;
  uint64_t split_begin_ = 0;  // position of the open split's first row
  OpenedFile file_;
  std::unique_ptr<BatchReader> reader_;  // null between files
};

}  // namespace primus::data
