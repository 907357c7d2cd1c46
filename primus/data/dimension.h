// A dimension as a job's rows see it: loaded whole, indexed by its join key, its operators applied
// and its features encoded once a row of its own.
//
// Immutable; any thread.
#pragma once

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

  const EncodedTable& encoded() const { return encoded_; }
  const OriginEncoder& encoder() const { return encoder_; }

 private:
  Dimension(const ChainPlan& plan, std::size_t origin);
  Status CheckMissing(const RowSelection& selection, std::span<const int32_t> matches) const;

  std::string source_;
  std::vector<std::string> join_keys_;
  OriginEncoder encoder_;
  JoinIndex index_;
  EncodedTable encoded_;
  std::shared_ptr<arrow::RecordBatch> rows_;
};

}  // namespace primus::data
