// The real RowStreams: splits of the base source read through its store and format, joined with
// dimensions in memory, through the operators, encoded as the model's features.
//
// A stream's dimensions are loaded at the first task. With a shuffle a task is loaded whole and its
// rows permuted; otherwise it comes in chunks of `chunk_rows`. Same threads as RowStreams.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "primus/data/data_slots.h"
#include "primus/data/row_stream.h"
#include "primus/data/stream_chain.h"
#include "primus/jobspec/model_plan.h"

namespace primus::config {
class Job;
}  // namespace primus::config

namespace primus::data {

struct RowStreamsOptions {
  const config::Job* job = nullptr;  // outlives the streams, as the slots do
  const DataSlots* slots = nullptr;
  jobspec::ModelPlan plan;
  std::string root;  // relative source paths start here
  std::size_t chunk_rows = 65536;
};

class ArrowRowStreams final : public RowStreams {
 public:
  static Result<std::unique_ptr<ArrowRowStreams>> Create(RowStreamsOptions options);

  // kAborted when a file is not the one that was planned.
  Result<std::unique_ptr<RowStream>> Open(const TaskPlan& task, const PhaseScope& scope,
                                          const batch::IntervalSet& skip) override;

 private:
  explicit ArrowRowStreams(RowStreamsOptions options) : options_(std::move(options)) {}
  Result<const StreamChain*> ChainOf(const std::string& stream);

  RowStreamsOptions options_;
  std::vector<std::chrono::sys_days> days_;
  std::map<std::string, std::unique_ptr<StreamChain>> chains_;
};

// What the model asks of a stream: its features, its label, and whether event time is read.
ChainRequest RequestOf(const config::Job& job, const std::string& stream,
                       const jobspec::ModelPlan& plan);

}  // namespace primus::data
