// Data and a job around it for tests of row streams: Parquet files in a folder of their own, the
// `data` part of a job file, and a model plan. Real plug-ins, no process, no clock.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "primus/base/result.h"
#include "primus/data/arrow_row_streams.h"
#include "primus/data/data_slots.h"
#include "primus/data/window_plan.h"

namespace primus::config {
class Job;
}  // namespace primus::config

namespace primus::tests {

// A column of a file: its Arrow type and its values as JSON.
struct TestColumn {
  std::string name;
  std::shared_ptr<arrow::DataType> type;
  std::string json;
};

class StreamFixture {
 public:
  StreamFixture();
  ~StreamFixture();
  StreamFixture(const StreamFixture&) = delete;
  StreamFixture& operator=(const StreamFixture&) = delete;

  const std::string& root() const { return root_; }
  const data::DataSlots& slots() const { return slots_; }
  config::Job& job() { return *job_; }

  // Parents are made; an existing file is replaced.
  void WriteParquet(const std::string& path, const std::vector<TestColumn>& columns,
                    int64_t rows_in_group = 1000000);
  void WriteText(const std::string& path, const std::string& text);
  // The `data` of the job; fails the test when the walker finds mistakes.
  void SetData(const std::string& yaml);

  // Features of the plan, each in a table of its own name.
  void AddCategory(const std::string& name, const std::string& column);
  void AddMultiHot(const std::string& name, const std::vector<std::string>& columns);
  void AddDense(const std::string& name, const std::string& column);
  jobspec::ModelPlan& plan() { return plan_; }

  Result<std::unique_ptr<data::ArrowRowStreams>> OpenStreams(std::size_t chunk_rows = 65536);
  // The only task of a window that is ready.
  Result<data::TaskPlan> PlanTask(const std::string& stream, const std::string& window);

  // All chunks of one reading, appended.
  static Result<batch::EncodedRows> ReadAll(data::RowStreams& streams, const data::TaskPlan& task,
                                            const data::PhaseScope& scope,
                                            const batch::IntervalSet& skip = {});

 private:
  std::string root_;
  data::DataSlots slots_;
  std::unique_ptr<config::Job> job_;
  jobspec::ModelPlan plan_;
};

}  // namespace primus::tests
