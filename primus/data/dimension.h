// A dimension as a job's rows see it: loaded whole, indexed by its join key, its operators applied
// and its features encoded once a row of its own.
//
// Immutable but for its match counts; any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "primus/data/chain_plan.h"
#include "primus/data/encoded_table.h"
#include "primus/data/join_index.h"
#include "primus/data/source_store.h"

namespace arrow {
class Array;
class RecordBatch;
}  // namespace arrow

namespace primus::data {

// Rows of the base, matched against one dimension.
struct JoinCounts {
  std::string stream;
  std::string source;
  uint64_t matched = 0;
  uint64_t unmatched = 0;
};

class Dimension {
 public:
  // Reads every file of the source that has ordinal `origin` in the plan.
  static Result<std::unique_ptr<Dimension>> Load(SourceStore& store, const ChainPlan& plan,
                                                 std::size_t origin);

  // Appends the row here that each of `rows` of the base's batch matches (JoinIndex::kNoMatch: it
  // keeps nulls). A row without a match whose dense feature gives no value for missing is an
  // error.
  Status Match(const RowSelection& selection, std::vector<int32_t>& matches) const;
  // The value of `column` for each row of a base batch; null where nothing matches.
  Result<std::shared_ptr<arrow::Array>> Gather(const std::string& column,
                                               const arrow::RecordBatch& base) const;

  const std::string& source() const { return source_; }
  const EncodedTable& encoded() const { return encoded_; }
  const OriginEncoder& encoder() const { return encoder_; }
  uint64_t matched() const { return matched_; }
  uint64_t unmatched() const { return unmatched_; }

 private:
  Dimension(const ChainPlan& plan, std::size_t origin);
  Status CheckMissing(const RowSelection& selection, std::span<const int32_t> matches) const;

  std::string source_;
  std::vector<std::string> join_keys_;
  OriginEncoder encoder_;
  JoinIndex index_;
  EncodedTable encoded_;
  std::shared_ptr<arrow::RecordBatch> rows_;
  mutable std::atomic<uint64_t> matched_ = 0;
  mutable std::atomic<uint64_t> unmatched_ = 0;
};

}  // namespace primus::data
