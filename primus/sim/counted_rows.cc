#include "primus/sim/counted_rows.h"

#include <algorithm>
#include <iterator>

#include "primus/base/seeded.h"

namespace primus::sim {
namespace {

using batch::RowKind;

constexpr uint64_t kOneIn = 17;  // positions without a row

std::string WindowName(std::size_t index) {
  std::string number = std::to_string(index);
  return "w" + std::string(4 - std::min<std::size_t>(number.size(), 4), '0') + number;
}

uint64_t HashOf(const std::string& path) {
  uint64_t hash = 0;
  for (const char c : path) hash = Mix64(hash, static_cast<uint64_t>(c));
  return hash;
}

class CountedStream final : public data::RowStream {
 public:
  CountedStream(data::TaskPlan task, batch::IntervalSet skip, std::vector<uint64_t> order,
                uint64_t chunk_rows)
      : task_(std::move(task)),
        skip_(std::move(skip)),
        order_(std::move(order)),
        chunk_rows_(chunk_rows) {}

  Result<std::optional<batch::EncodedRows>> Next() override {
    if (next_ >= order_.size()) return std::optional<batch::EncodedRows>();
    batch::EncodedRows rows;
    rows.task = task_.id;
    rows.keys.emplace_back().offsets.push_back(0);
    const uint64_t end = std::min<uint64_t>(order_.size(), next_ + chunk_rows_);
    for (; next_ < end; ++next_) AddPosition(order_[next_], rows);
    return std::optional(std::move(rows));
  }

 private:
  void AddPosition(uint64_t position, batch::EncodedRows& rows) const {
    if (skip_.Contains(position)) return;
    const CountedRow row = CountedRowAt(task_, position);
    if (row.key == 0) {
      rows.skipped.push_back({task_.id, row.kind, position, position + 1});
      return;
    }
    rows.positions.push_back(position);
    rows.labels.push_back(0);
    rows.keys[0].keys.push_back(row.key);
    rows.keys[0].offsets.push_back(static_cast<uint32_t>(rows.keys[0].keys.size()));
  }

  data::TaskPlan task_;
  batch::IntervalSet skip_;
  std::vector<uint64_t> order_;
  uint64_t chunk_rows_;
  uint64_t next_ = 0;
};

}  // namespace

CountedRow CountedRowAt(const data::TaskPlan& task, uint64_t position) {
  constexpr RowKind kSkipped[] = {RowKind::kFiltered, RowKind::kCorrupt, RowKind::kExcluded};
  const RowKind skipped = kSkipped[position % std::size(kSkipped)];
  for (const data::Split& split : task.splits) {
    if (position >= split.rows) {
      position -= split.rows;
      continue;
    }
    const uint64_t key = Mix64(HashOf(split.path), split.first_row + position);
    if (key % kOneIn != 0) return {.key = key, .kind = RowKind::kTrained};
    break;
  }
  return {.key = 0, .kind = skipped};
}

batch::Layout CountedLayout() { return {{{"row", batch::FeatureKind::kKeys}}}; }

std::vector<std::string> CountedPlanner::Windows(const std::string& /*stream*/) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < options_.window_rows.size(); ++i) names.push_back(WindowName(i));
  return names;
}

Result<data::WindowPlan> CountedPlanner::Plan(const std::string& stream, const std::string& window,
                                              data::Unready /*unready*/) {
  const std::vector<std::string> names = Windows(stream);
  const auto it = std::find(names.begin(), names.end(), window);
  if (it == names.end()) return NotFoundError("no window " + window);
  const uint64_t rows = options_.window_rows[static_cast<std::size_t>(it - names.begin())];
  data::WindowPlan plan;
  // Two files of different length.
  const uint64_t first = rows / 3;
  if (first > 0) plan.splits.push_back({window + "/a", 1, 0, first});
  if (rows > first) plan.splits.push_back({window + "/b", 1, 0, rows - first});
  return plan;
}

Result<std::unique_ptr<data::RowStream>> CountedStreams::Open(const data::TaskPlan& task,
                                                              const data::PhaseScope& scope,
                                                              const batch::IntervalSet& skip) {
  std::vector<uint64_t> order(task.rows);
  for (uint64_t i = 0; i < task.rows; ++i) order[i] = i;
  SeededSequence random(Mix64(scope.shuffle_seed, task.id));
  for (uint64_t i = task.rows; scope.shuffle && i > 1; --i) {
    std::swap(order[i - 1], order[random.Below(i)]);
  }
  return std::unique_ptr<data::RowStream>(
      std::make_unique<CountedStream>(task, skip, std::move(order), options_.chunk_rows));
}

}  // namespace primus::sim
