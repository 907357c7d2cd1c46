#include "primus/data/arrow_row_streams.h"

#include <limits>
#include <numeric>
#include <utility>

#include "primus/base/seeded.h"
#include "primus/data/split_reader.h"
#include "primus/data/window_calendar.h"

#include "proto/config/job.pb.h"

namespace primus::data {
namespace {

constexpr uint32_t kNoRow = std::numeric_limits<uint32_t>::max();

// One batch at a time, in file order.
class StoredOrder final : public RowStream {
 public:
  StoredOrder(const StreamChain& chain, const TaskPlan& task, const WindowBounds& window,
              PhaseScope scope, const batch::IntervalSet& skip, std::size_t chunk_rows)
      : chain_(chain),
        task_(task.id),
        window_(window),
        scope_(std::move(scope)),
        reader_(chain, task, skip, static_cast<int64_t>(chunk_rows)) {}

  Result<std::optional<batch::EncodedRows>> Next() override {
    while (true) {
      RowBlock block(chain_, task_, window_);
      PRIMUS_ASSIGN(const bool more, reader_.ReadInto(scope_, block));
      if (!more) return std::optional<batch::EncodedRows>();
      if (block.rows() == 0 && block.skipped().empty()) continue;
      std::vector<uint32_t> order(block.rows());
      std::iota(order.begin(), order.end(), 0U);
      batch::EncodedRows rows = block.Gather(order);
      rows.skipped = block.skipped();
      return std::optional(std::move(rows));
    }
  }

 private:
  const StreamChain& chain_;
  TaskId task_;
  WindowBounds window_;
  PhaseScope scope_;
  SplitReader reader_;
};

// The whole task in memory; its rows in the order of a permutation of its positions. What is
// skipped does not move the rest, so a task that is read again goes on in the same order.
class ShuffledOrder final : public RowStream {
 public:
  ShuffledOrder(const StreamChain& chain, const TaskPlan& task, const WindowBounds& window,
                PhaseScope scope, const batch::IntervalSet& skip, std::size_t chunk_rows)
      : task_(task.id),
        task_rows_(task.rows),
        scope_(std::move(scope)),
        chunk_rows_(chunk_rows),
        reader_(chain, task, skip, static_cast<int64_t>(chunk_rows)),
        block_(chain, task.id, window) {}

  Result<std::optional<batch::EncodedRows>> Next() override {
    const bool first = !loaded_;
    if (first) PRIMUS_TRY(Load());
    const std::size_t count = std::min(chunk_rows_, order_.size() - next_);
    const bool has_spans = first && !block_.skipped().empty();
    if (count == 0 && !has_spans) return std::optional<batch::EncodedRows>();
    batch::EncodedRows rows = block_.Gather(std::span(order_).subspan(next_, count));
    if (has_spans) rows.skipped = block_.skipped();
    next_ += count;
    return std::optional(std::move(rows));
  }

 private:
  Status Load() {
    bool more = true;
    while (more) {
      PRIMUS_ASSIGN(more, reader_.ReadInto(scope_, block_));
    }
    std::vector<uint32_t> permuted(task_rows_, kNoRow);
    for (std::size_t i = 0; i < block_.rows(); ++i) {
      permuted[block_.positions()[i]] = static_cast<uint32_t>(i);
    }
    SeededSequence sequence(Mix64(scope_.shuffle_seed, task_));
    for (std::size_t i = permuted.size(); i > 1; --i) {
      std::swap(permuted[i - 1], permuted[sequence.Below(i)]);
    }
    for (const uint32_t row : permuted) {
      if (row != kNoRow) order_.push_back(row);
    }
    loaded_ = true;
    return OkStatus();
  }

  TaskId task_;
  uint64_t task_rows_;
  PhaseScope scope_;
  std::size_t chunk_rows_;
  SplitReader reader_;
  RowBlock block_;
  std::vector<uint32_t> order_;
  std::size_t next_ = 0;
  bool loaded_ = false;
};

Status CheckTask(const TaskPlan& task) {
  uint64_t rows = 0;
  for (const Split& split : task.splits) rows += split.rows;
  if (rows != task.rows) {
    return InternalError("task " + std::to_string(task.id) + " says " + std::to_string(task.rows) +
                         " rows, its splits " + std::to_string(rows));
  }
  if (task.rows >= static_cast<uint64_t>(std::numeric_limits<int32_t>::max())) {
    return ResourceExhaustedError("task " + std::to_string(task.id) + " has 2^31 rows or more");
  }
  return OkStatus();
}

}  // namespace

ChainRequest RequestOf(const config::Job& job, const std::string& stream,
                       const jobspec::ModelPlan& plan) {
  ChainRequest request;
  for (const config::Stream& candidate : job.spec().data().streams()) {
    if (candidate.name() == stream) request.stream = &candidate;
  }
  for (const jobspec::FeatureSpec& feature : plan.features) {
    const bool dense = feature.source == jobspec::FeatureSource::kDense;
    request.features.push_back({feature, dense ? "" : plan.tables[feature.table].name});
  }
  request.label_column = plan.label_column;
  request.reads_event_time = job.spec().has_evaluate();
  return request;
}

Result<std::unique_ptr<ArrowRowStreams>> ArrowRowStreams::Create(RowStreamsOptions options) {
  std::unique_ptr<ArrowRowStreams> streams(new ArrowRowStreams(std::move(options)));
  PRIMUS_ASSIGN(streams->days_, DaysOf(streams->options_.job->spec().data().range()));
  return streams;
}

Result<const StreamChain*> ArrowRowStreams::ChainOf(const std::string& stream) {
  std::unique_ptr<StreamChain>& chain = chains_[stream];
  if (chain == nullptr) {
    const ChainRequest request = RequestOf(*options_.job, stream, options_.plan);
    if (request.stream == nullptr) return NotFoundError("there is no stream " + stream);
    PRIMUS_ASSIGN(chain, StreamChain::Load(request, *options_.slots, options_.root, days_));
  }
  return chain.get();
}

Result<std::unique_ptr<RowStream>> ArrowRowStreams::Open(const TaskPlan& task,
                                                         const PhaseScope& scope,
                                                         const batch::IntervalSet& skip) {
  PRIMUS_TRY(CheckTask(task));
  PRIMUS_ASSIGN(const WindowBounds window, DayBounds(task.window));
  PRIMUS_ASSIGN(const StreamChain* chain, ChainOf(task.stream));
  if (scope.shuffle) {
    return std::unique_ptr<RowStream>(
        std::make_unique<ShuffledOrder>(*chain, task, window, scope, skip, options_.chunk_rows));
  }
  return std::unique_ptr<RowStream>(
      std::make_unique<StoredOrder>(*chain, task, window, scope, skip, options_.chunk_rows));
}

}  // namespace primus::data
