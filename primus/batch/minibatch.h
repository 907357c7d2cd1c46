// One minibatch inside a slot: built in place by an executor, viewed in place by a trainer.
//
// Byte layout (little endian, every section 64-byte aligned): header {magic "PMB1", version, bytes,
// hash of the layout, block, rows, phase, pass, purpose, number of sections}, section table
// {offset, bytes}, spans, labels (float × rows), then for each feature in layout order its offsets
// (u32 × rows+1) and keys (u64), or its float × rows. `Open` checks every offset and count against
// the slot's size before anything is read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "primus/base/result.h"
#include "primus/batch/coverage.h"
#include "primus/batch/encoded_rows.h"

namespace primus::batch {

enum class Purpose : uint8_t {
  kTrain = 0,
  kHoldout = 1,      // frozen model: predict only
  kProgressive = 2,  // predict, then train on it as one step
};

struct MiniBatchInfo {
  Purpose purpose = Purpose::kTrain;
  uint32_t phase = 0;  // ordinal in the job's list of phases
  uint32_t pass = 0;   // ordinal of the sweep over the data, 0 first
  uint64_t block = 0;  // ordinal of the batch in its executor's flow
};

// Rows `[begin, end)` of an EncodedRows, in the order they shall have in the batch.
struct RowRange {
  const EncodedRows* rows = nullptr;
  std::size_t begin = 0;
  std::size_t end = 0;
};

// Bytes that a batch of these ranges and spans takes.
uint64_t MiniBatchBytes(const Layout& layout, std::span<const RowRange> ranges, std::size_t spans);

struct MiniBatchParts {
  MiniBatchInfo info;
  std::span<const RowRange> ranges;
  // The whole coverage of the batch: its rows (kTrained or kEvaluated) and what was skipped on the
  // way to them. A batch may have spans and no rows.
  std::span<const Span> spans;
};

// Writes the batch into `slot` (64-byte aligned) and returns the bytes used; kResourceExhausted if
// it does not fit.
Result<uint64_t> WriteMiniBatch(const Layout& layout, const MiniBatchParts& parts,
                                std::span<std::byte> slot);

// A checked view; valid as long as the bytes are.
class MiniBatchView {
 public:
  // kDataLoss when the bytes are not a batch of this layout.
  static Result<MiniBatchView> Open(const Layout& layout, std::span<const std::byte> bytes);

  const MiniBatchInfo& info() const { return info_; }
  std::size_t rows() const { return labels_.size(); }
  std::span<const Span> spans() const { return spans_; }
  std::span<const float> labels() const { return labels_; }
  // By ordinal among the key (or dense) features of the layout.
  std::span<const uint32_t> offsets(std::size_t key_feature) const {
    return columns_[key_feature].offsets;
  }
  std::span<const uint64_t> keys(std::size_t key_feature) const {
    return columns_[key_feature].keys;
  }
  std::span<const float> dense(std::size_t dense_feature) const { return dense_[dense_feature]; }

 private:
  struct Column {
    std::span<const uint32_t> offsets;
    std::span<const uint64_t> keys;
  };
  MiniBatchInfo info_;
  std::vector<Span> spans_;
  std::span<const float> labels_;
  std::vector<Column> columns_;
  std::vector<std::span<const float>> dense_;
};

}  // namespace primus::batch
