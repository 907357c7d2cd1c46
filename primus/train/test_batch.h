// Batches for tests of training: rows written as lists of keys, viewed as a trainer views them.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "primus/batch/minibatch.h"
#include "primus/jobspec/model_plan.h"

namespace primus::train {

inline jobspec::TableSpec TestTable(const std::string& name, uint32_t dim, bool first_order) {
  jobspec::TableSpec table;
  table.name = name;
  table.dim = dim;
  table.first_order = first_order;
  return table;
}

// One row: its keys by key feature, its dense values by dense feature.
struct TestRow {
  std::vector<std::vector<uint64_t>> keys;
  std::vector<float> dense = {};
  float label = 0;
};

// Owns the bytes that `view()` looks at.
class TestBatch {
 public:
  TestBatch(const batch::Layout& layout, const std::vector<TestRow>& rows,
            const batch::MiniBatchInfo& info = {}) {
    const batch::EncodedRows encoded = Encode(layout, rows);
    std::vector<batch::RowRange> ranges;
    std::vector<batch::Span> spans;
    if (!rows.empty()) {
      ranges.push_back({.rows = &encoded, .begin = 0, .end = rows.size()});
      spans.push_back(
          {.task = 1, .kind = batch::RowKind::kTrained, .begin = 0, .end = rows.size()});
    }
    const uint64_t size = batch::MiniBatchBytes(layout, ranges, spans.size());
    lines_.resize((size + sizeof(Line) - 1) / sizeof(Line));
    const std::span<std::byte> slot(lines_.front().bytes, lines_.size() * sizeof(Line));
    const uint64_t used =
        batch::WriteMiniBatch(layout, {.info = info, .ranges = ranges, .spans = spans}, slot)
            .value();
    view_ = batch::MiniBatchView::Open(layout, slot.first(used)).value();
  }

  const batch::MiniBatchView& view() const { return view_; }

 private:
  struct alignas(64) Line {
    std::byte bytes[64];
  };

  static batch::EncodedRows Encode(const batch::Layout& layout, const std::vector<TestRow>& rows) {
    batch::EncodedRows encoded;
    encoded.task = 1;
    for (const batch::FeatureLayout& feature : layout.features) {
      if (feature.kind == batch::FeatureKind::kDense) {
        encoded.dense.emplace_back();
      } else {
        encoded.keys.push_back({.offsets = {0}, .keys = {}});
      }
    }
    for (std::size_t row = 0; row < rows.size(); ++row) {
      encoded.positions.push_back(row);
      encoded.labels.push_back(rows[row].label);
      for (std::size_t f = 0; f < encoded.keys.size(); ++f) {
        batch::KeyColumn& column = encoded.keys[f];
        const std::vector<uint64_t>& keys = rows[row].keys[f];
        column.keys.insert(column.keys.end(), keys.begin(), keys.end());
        column.offsets.push_back(static_cast<uint32_t>(column.keys.size()));
      }
      for (std::size_t f = 0; f < encoded.dense.size(); ++f) {
        encoded.dense[f].push_back(rows[row].dense[f]);
      }
    }
    return encoded;
  }

  std::vector<Line> lines_;
  batch::MiniBatchView view_;
};

}  // namespace primus::train
