// The whole chain of one stream, ready to read tasks: its plan, its stores and its dimensions in
// memory.
//
// Immutable; stores are used by one thread at a time.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "primus/data/chain_plan.h"
#include "primus/data/dimension.h"
#include "primus/data/encoded_table.h"
#include "primus/data/stream_sources.h"

namespace primus::data {

class StreamChain {
 public:
  // Reads a footer of every source and the dimensions whole. kInvalidArgument says what of the job
  // does not fit its data.
  static Result<std::unique_ptr<StreamChain>> Load(const ChainRequest& request,
                                                   const DataSlots& slots, const std::string& root,
                                                   const std::vector<std::chrono::sys_days>& days);

  const ChainPlan& plan() const { return plan_; }
  const OriginPlan& base_plan() const { return plan_.origins.front(); }
  SourceStore& base() const { return sources_.base(); }
  const OriginEncoder& base_encoder() const { return base_encoder_; }
  const std::vector<std::unique_ptr<Dimension>>& dimensions() const { return dimensions_; }
  std::size_t key_features() const { return key_features_; }
  std::size_t dense_features() const { return dense_features_; }

  // A batch of the base's files with everything that its own features need: dimension columns
  // gathered, operators applied.
  Result<std::shared_ptr<arrow::RecordBatch>> Complete(const arrow::RecordBatch& batch,
                                                       const RowOrigin& origin) const;

 private:
  StreamChain(StreamSources sources, ChainPlan plan);

  StreamSources sources_;
  ChainPlan plan_;
  OriginEncoder base_encoder_;
  std::vector<std::unique_ptr<Dimension>> dimensions_;
  std::size_t key_features_ = 0;
  std::size_t dense_features_ = 0;
};

}  // namespace primus::data
