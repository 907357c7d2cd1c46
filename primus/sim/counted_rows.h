// Data without files: windows of counted rows, each row with a key of its own. Some positions are
// skipped (filtered, corrupt, excluded), by their key, so that every kind of span is on its way.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "primus/data/row_stream.h"
#include "primus/data/window_plan.h"

namespace primus::sim {

struct CountedDataOptions {
  std::vector<uint64_t> window_rows;  // by window; a window may be empty
  uint64_t chunk_rows = 64;           // rows of one Next()
};

// What a position of a task yields, the same in every pass.
struct CountedRow {
  uint64_t key = 0;  // 0: no row, `kind` says why
  batch::RowKind kind = batch::RowKind::kTrained;
};
CountedRow CountedRowAt(const data::TaskPlan& task, uint64_t position);
batch::Layout CountedLayout();

class CountedPlanner final : public data::WindowPlanner {
 public:
  explicit CountedPlanner(CountedDataOptions options) : options_(std::move(options)) {}
  std::vector<std::string> Windows(const std::string& stream) override;
  Result<data::WindowPlan> Plan(const std::string& stream, const std::string& window,
                                data::Unready unready) override;

 private:
  CountedDataOptions options_;
};

class CountedStreams final : public data::RowStreams {
 public:
  explicit CountedStreams(CountedDataOptions options) : options_(std::move(options)) {}
  Result<std::unique_ptr<data::RowStream>> Open(const data::TaskPlan& task,
                                                const data::PhaseScope& scope,
                                                const batch::IntervalSet& skip) override;

 private:
  CountedDataOptions options_;
};

}  // namespace primus::sim
