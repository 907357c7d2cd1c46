// Cuts rows, as they come from tasks in lease order, into minibatches of an exact size.
//
// A batch may span tasks and windows, never phases: a change of phase ends it short. What was
// skipped on the way travels with the next batch of its phase, or in one without rows when there is
// none. The spans of a batch are all positions it answers for: its rows (kTrained, or kEvaluated in
// hold-out) and the skipped ones. No position that was added is ever dropped, but by Clear.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "primus/batch/encoded_rows.h"
#include "primus/batch/minibatch.h"
#include "primus/data/row_stream.h"

namespace primus::executor {

// Rows [begin, end) of a shared chunk.
struct RowPiece {
  std::shared_ptr<const batch::EncodedRows> rows;
  std::size_t begin = 0;
  std::size_t end = 0;
};

struct CutBatch {
  batch::MiniBatchInfo info;
  std::vector<RowPiece> pieces;
  std::vector<batch::Span> spans;
};

// Spans of skipped positions that one batch carries at most; more go out in batches of their own.
inline constexpr std::size_t kSkippedSpansMax = 1024;

class BatchCutter {
 public:
  struct Options {
    uint32_t batch_rows = 256;
    uint32_t progressive_rows = 256;  // of a block in a progressive phase
  };
  explicit BatchCutter(Options options) : options_(options) {}

  void Add(const data::PhaseScope& scope, std::shared_ptr<const batch::EncodedRows> rows);

  // A batch is complete: full, or ended by a change of phase.
  bool HasWhole() const;
  // Something is left that may go out as a short batch.
  bool HasRest() const { return !phases_.empty(); }
  // The next batch, whole if HasWhole, else what is left. Only when HasRest.
  CutBatch Take();
  // Of the batch that Take would give. Only when HasRest.
  batch::Purpose purpose() const { return phases_.front().scope.purpose; }

  std::size_t rows() const { return rows_; }
  // Drops everything; blocks are numbered from 0 again.
  void Clear();

 private:
  struct Phase {
    data::PhaseScope scope;
    std::deque<RowPiece> pieces;
    std::size_t rows = 0;
    std::deque<batch::Span> skipped;
  };

  std::size_t RowsOf(batch::Purpose purpose) const;
  void TakeRows(Phase& phase, std::size_t count, CutBatch& batch);

  const Options options_;
  std::deque<Phase> phases_;  // none of them empty
  std::size_t rows_ = 0;
  uint64_t blocks_ = 0;
};

}  // namespace primus::executor
