#include "primus/data/row_block.h"

#include <arrow/array.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "primus/data/discrete_values.h"

namespace primus::data {
namespace {

int64_t CeilDivide(int64_t value, int64_t divisor) {
  const int64_t quotient = value / divisor;
  return quotient + (value % divisor > 0 ? 1 : 0);
}

int64_t TicksOf(WallTime time, int64_t nanos) {
  return CeilDivide(time.time_since_epoch().count(), nanos);
}

// Which times a scope holds, in units of the event-time column.
class TickRange {
 public:
  TickRange(const PhaseScope& scope, const WindowBounds& window, int64_t nanos)
      : from_(TicksOf(scope.from.value_or(window.begin), nanos)),
        to_(TicksOf(scope.to.value_or(window.end), nanos)),
        first_(TicksOf(window.begin, nanos)),
        last_(TicksOf(window.end, nanos) - 1) {}

  bool Holds(int64_t time) const {
    const int64_t inside = std::clamp(time, first_, last_);
    return from_ <= inside && inside < to_;
  }

 private:
  int64_t from_;
  int64_t to_;  // exclusive
  int64_t first_;
  int64_t last_;
};

void GatherKeys(const batch::KeyColumn& from, std::span<const int32_t> rows, batch::KeyColumn& to) {
  to.offsets.reserve(rows.size() + 1);
  to.offsets.push_back(0);
  for (const int32_t row : rows) {
    if (row != JoinIndex::kNoMatch) {
      const auto at = static_cast<std::size_t>(row);
      to.keys.insert(to.keys.end(), from.keys.begin() + from.offsets[at],
                     from.keys.begin() + from.offsets[at + 1]);
    }
    to.offsets.push_back(static_cast<uint32_t>(to.keys.size()));
  }
}

void GatherDense(const std::vector<float>& from, float missing, std::span<const int32_t> rows,
                 std::vector<float>& to) {
  to.reserve(rows.size());
  for (const int32_t row : rows) {
    to.push_back(row == JoinIndex::kNoMatch ? missing : from[static_cast<std::size_t>(row)]);
  }
}

}  // namespace

Result<std::vector<int64_t>> RowBlock::Select(const TaskBatch& batch, const PhaseScope& scope,
                                              const batch::IntervalSet& skip) {
  const auto count = static_cast<std::size_t>(batch.batch->num_rows());
  const bool ranged = scope.from || scope.to;
  if (ranged && !chain_.plan().event_time) {
    return FailedPreconditionError("a phase has a time range, but source " +
                                   chain_.base_plan().source + " has no eventTime");
  }
  DiscreteValues times;
  std::optional<TickRange> range;
  if (ranged) {
    const EventTimePlan& event_time = *chain_.plan().event_time;
    std::vector<int64_t> all(count);
    std::iota(all.begin(), all.end(), 0);
    PRIMUS_ASSIGN(times, ReadDiscrete(*batch.batch->GetColumnByName(event_time.column), all));
    range.emplace(scope, window_, event_time.nanos);
  }
  std::vector<int64_t> rows;
  rows.reserve(count);
  const bool any_skipped = skip.Intersects(batch.position, batch.position + count);
  for (std::size_t i = 0; i < count; ++i) {
    const uint64_t position = batch.position + i;
    if (any_skipped && skip.Contains(position)) continue;
    if (ranged && times.valid[i] == 0) {
      return InvalidArgumentError(
          batch.origin.At(static_cast<int64_t>(i)) + ": column " +
          chain_.plan().event_time->column +
          " is null, so no phase can tell whether the row is its own; write a time into it, or "
          "take the row out");
    }
    if (ranged && !range->Holds(times.numbers[i])) {
      skipped_.push_back({task_, batch::RowKind::kExcluded, position, position + 1});
      continue;
    }
    rows.push_back(static_cast<int64_t>(i));
  }
  batch::Compact(skipped_);
  return rows;
}

Status RowBlock::Append(const TaskBatch& batch, const PhaseScope& scope,
                        const batch::IntervalSet& skip) {
  PRIMUS_ASSIGN(const std::vector<int64_t> rows, Select(batch, scope, skip));
  if (rows.empty()) return OkStatus();
  PRIMUS_ASSIGN(const auto complete, chain_.Complete(*batch.batch, batch.origin));
  const RowSelection selection{complete.get(), rows, &batch.origin};
  PRIMUS_TRY(chain_.base_encoder().Append(selection, base_));
  matches_.resize(chain_.dimensions().size());
  for (std::size_t i = 0; i < matches_.size(); ++i) {
    PRIMUS_TRY(chain_.dimensions()[i]->Match(selection, matches_[i]));
  }
  if (chain_.plan().label_column.empty()) {
    labels_.resize(labels_.size() + rows.size(), 0.0F);
  } else {
    PRIMUS_TRY(AppendLabels(selection, chain_.plan().label_column, labels_));
  }
  for (const int64_t row : rows) {
    positions_.push_back(batch.position + static_cast<uint64_t>(row));
  }
  return OkStatus();
}

batch::EncodedRows RowBlock::Gather(std::span<const uint32_t> order) const {
  batch::EncodedRows out;
  out.task = task_;
  out.keys.resize(chain_.key_features());
  out.dense.resize(chain_.dense_features());
  out.positions.reserve(order.size());
  out.labels.reserve(order.size());
  std::vector<int32_t> rows;
  rows.reserve(order.size());
  for (const uint32_t row : order) {
    out.positions.push_back(positions_[row]);
    out.labels.push_back(labels_[row]);
    rows.push_back(static_cast<int32_t>(row));
  }
  GatherOrigin(kBaseOrigin, rows, out);
  for (std::size_t i = 0; i < chain_.dimensions().size(); ++i) {
    for (std::size_t k = 0; k < order.size(); ++k) rows[k] = matches_[i][order[k]];
    GatherOrigin(i + 1, rows, out);
  }
  return out;
}

void RowBlock::GatherOrigin(std::size_t origin, std::span<const int32_t> rows,
                            batch::EncodedRows& out) const {
  const bool base = origin == kBaseOrigin;
  const OriginEncoder& encoder =
      base ? chain_.base_encoder() : chain_.dimensions()[origin - 1]->encoder();
  const EncodedTable& table = base ? base_ : chain_.dimensions()[origin - 1]->encoded();
  if (rows.empty()) {
    for (const auto& feature : encoder.key_features()) out.keys[feature.target].offsets = {0};
    return;
  }
  for (std::size_t i = 0; i < encoder.key_features().size(); ++i) {
    GatherKeys(table.keys[i], rows, out.keys[encoder.key_features()[i].target]);
  }
  for (std::size_t i = 0; i < encoder.dense_features().size(); ++i) {
    const OriginEncoder::Feature& feature = encoder.dense_features()[i];
    GatherDense(table.dense[i], static_cast<float>(feature.encoder.spec().missing), rows,
                out.dense[feature.target]);
  }
}

}  // namespace primus::data
