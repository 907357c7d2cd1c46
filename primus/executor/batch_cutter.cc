#include "primus/executor/batch_cutter.h"

#include <algorithm>
#include <utility>

#include "primus/base/check.h"

namespace primus::executor {

void BatchCutter::Add(const data::PhaseScope& scope,
                      std::shared_ptr<const batch::EncodedRows> rows) {
  const std::size_t count = rows->rows();
  if (count == 0 && rows->skipped.empty()) return;
  if (phases_.empty() || phases_.back().scope.phase != scope.phase) {
    phases_.emplace_back().scope = scope;
  }
  Phase& phase = phases_.back();
  phase.skipped.insert(phase.skipped.end(), rows->skipped.begin(), rows->skipped.end());
  if (count == 0) return;
  phase.pieces.push_back({.rows = std::move(rows), .begin = 0, .end = count});
  phase.rows += count;
  rows_ += count;
}

bool BatchCutter::HasWhole() const {
  if (phases_.empty()) return false;
  const Phase& front = phases_.front();
  return phases_.size() > 1 || front.rows >= RowsOf(front.scope.purpose) ||
         front.skipped.size() >= kSkippedSpansMax;
}

CutBatch BatchCutter::Take() {
  PRIMUS_CHECK(!phases_.empty(), "Take needs HasRest");
  Phase& phase = phases_.front();
  CutBatch batch;
  batch.info = {.purpose = phase.scope.purpose,
                .phase = phase.scope.phase,
                .pass = phase.scope.pass,
                .block = blocks_++};
  const std::size_t whole = RowsOf(phase.scope.purpose);
  // Too many skipped spans go ahead on their own: the rows that follow must still fill a batch.
  const bool overflow = phase.rows < whole && phase.skipped.size() >= kSkippedSpansMax;
  if (!overflow) TakeRows(phase, std::min(whole, phase.rows), batch);

  const auto skipped =
      static_cast<std::ptrdiff_t>(std::min(phase.skipped.size(), kSkippedSpansMax));
  const auto end = phase.skipped.begin() + skipped;
  batch.spans.insert(batch.spans.end(), phase.skipped.begin(), end);
  phase.skipped.erase(phase.skipped.begin(), end);
  batch::Compact(batch.spans);
  if (phase.rows == 0 && phase.skipped.empty()) phases_.pop_front();
  return batch;
}

void BatchCutter::Clear() {
  phases_.clear();
  rows_ = 0;
  blocks_ = 0;
}

std::size_t BatchCutter::RowsOf(batch::Purpose purpose) const {
  return purpose == batch::Purpose::kProgressive ? options_.progressive_rows : options_.batch_rows;
}

void BatchCutter::TakeRows(Phase& phase, std::size_t count, CutBatch& batch) {
  const auto kind = phase.scope.purpose == batch::Purpose::kHoldout ? batch::RowKind::kEvaluated
                                                                    : batch::RowKind::kTrained;
  phase.rows -= count;
  rows_ -= count;
  batch.spans.reserve(count + std::min(phase.skipped.size(), kSkippedSpansMax));
  while (count > 0) {
    RowPiece& front = phase.pieces.front();
    const std::size_t taken = std::min(count, front.end - front.begin);
    batch.pieces.push_back({.rows = front.rows, .begin = front.begin, .end = front.begin + taken});
    for (std::size_t i = front.begin; i < front.begin + taken; ++i) {
      const uint64_t position = front.rows->positions[i];
      batch.spans.push_back(
          {.task = front.rows->task, .kind = kind, .begin = position, .end = position + 1});
    }
    front.begin += taken;
    count -= taken;
    if (front.begin == front.end) phase.pieces.pop_front();
  }
}

}  // namespace primus::executor
