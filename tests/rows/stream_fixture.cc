#include "tests/rows/stream_fixture.h"

#include <arrow/array.h>
#include <arrow/io/file.h>
#include <arrow/json/from_string.h>
#include <arrow/table.h>
#include <gtest/gtest.h>
#include <parquet/arrow/writer.h>
#include <unistd.h>

#include <fstream>
#include <utility>

#include "plugins/formats/parquet/parquet_format.h"
#include "plugins/operators/bucketize/bucketize.h"
#include "plugins/operators/compare/compare.h"
#include "plugins/operators/time_part/time_part.h"
#include "plugins/sources/files/files_store.h"
#include "primus/config/walker.h"
#include "primus/data/files_window_planner.h"
#include "primus/data/task_packing.h"

#include "proto/config/job.pb.h"

namespace primus::tests {
namespace {

namespace fs = std::filesystem;

// Offsets of `from` go on after those of `to`.
void AppendKeys(const batch::KeyColumn& from, batch::KeyColumn& to) {
  if (to.offsets.empty()) to.offsets.push_back(0);
  const auto shift = static_cast<uint32_t>(to.keys.size());
  for (std::size_t i = 1; i < from.offsets.size(); ++i)
    to.offsets.push_back(shift + from.offsets[i]);
  to.keys.insert(to.keys.end(), from.keys.begin(), from.keys.end());
}

void AppendRows(const batch::EncodedRows& from, batch::EncodedRows& to) {
  to.task = from.task;
  to.positions.insert(to.positions.end(), from.positions.begin(), from.positions.end());
  to.labels.insert(to.labels.end(), from.labels.begin(), from.labels.end());
  to.skipped.insert(to.skipped.end(), from.skipped.begin(), from.skipped.end());
  to.keys.resize(from.keys.size());
  for (std::size_t i = 0; i < from.keys.size(); ++i) AppendKeys(from.keys[i], to.keys[i]);
  to.dense.resize(from.dense.size());
  for (std::size_t i = 0; i < from.dense.size(); ++i) {
    to.dense[i].insert(to.dense[i].end(), from.dense[i].begin(), from.dense[i].end());
  }
}

}  // namespace

StreamFixture::StreamFixture() : job_(std::make_unique<config::Job>()) {
  std::string pattern = (fs::temp_directory_path() / "primus_rows_XXXXXX").string();
  const char* made = mkdtemp(pattern.data());
  EXPECT_NE(made, nullptr);
  root_ = pattern;
  sources::AddFiles(slots_.sources);
  formats::AddParquet(slots_.formats);
  operators::AddCompare(slots_.operators);
  operators::AddBucketize(slots_.operators);
  operators::AddTimePart(slots_.operators);
}

StreamFixture::~StreamFixture() {
  std::error_code error;
  fs::remove_all(root_, error);
  EXPECT_FALSE(error) << error.message();
}

void StreamFixture::WriteParquet(const std::string& path, const std::vector<TestColumn>& columns,
                                 int64_t rows_in_group) {
  arrow::FieldVector fields;
  arrow::ArrayVector arrays;
  for (const TestColumn& column : columns) {
    fields.push_back(arrow::field(column.name, column.type));
    arrays.push_back(arrow::json::ArrayFromJSONString(column.type, column.json).ValueOrDie());
  }
  const auto table = arrow::Table::Make(arrow::schema(fields), arrays);
  const fs::path file = fs::path(root_) / path;
  fs::create_directories(file.parent_path());
  const auto sink = arrow::io::FileOutputStream::Open(file.string()).ValueOrDie();
  const auto keep_types = parquet::ArrowWriterProperties::Builder().store_schema()->build();
  const auto status =
      parquet::arrow::WriteTable(*table, arrow::default_memory_pool(), sink, rows_in_group,
                                 parquet::default_writer_properties(), keep_types);
  ASSERT_TRUE(status.ok()) << status.ToString();
  ASSERT_TRUE(sink->Close().ok());
}

void StreamFixture::WriteText(const std::string& path, const std::string& text) {
  const fs::path file = fs::path(root_) / path;
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

void StreamFixture::SetData(const std::string& yaml) {
  config::Data parsed;
  const config::Slots slots({&slots_.sources, &slots_.formats, &slots_.operators});
  const config::Reading reading = config::ReadYaml({"data.yaml", yaml, {}}, slots, &parsed);
  ASSERT_TRUE(reading.problems.empty()) << reading.problems.ToStatus().ToString();
  *job_->mutable_spec()->mutable_data() = parsed;
  job_->mutable_spec()->mutable_evaluate()->set_from("1998-03-07T02:21:09Z");
}

void StreamFixture::AddCategory(const std::string& name, const std::string& column) {
  AddMultiHot(name, {column});
  plan_.features.back().source = jobspec::FeatureSource::kCategory;
}

void StreamFixture::AddMultiHot(const std::string& name, const std::vector<std::string>& columns) {
  jobspec::FeatureSpec feature;
  feature.name = name;
  feature.source = jobspec::FeatureSource::kMultiHot;
  feature.columns = columns;
  feature.table = static_cast<uint32_t>(plan_.tables.size());
  plan_.tables.emplace_back().name = name;
  plan_.features.push_back(feature);
}

void StreamFixture::AddDense(const std::string& name, const std::string& column) {
  jobspec::FeatureSpec feature;
  feature.name = name;
  feature.source = jobspec::FeatureSource::kDense;
  feature.columns = {column};
  plan_.features.push_back(feature);
}

Result<std::unique_ptr<data::ArrowRowStreams>> StreamFixture::OpenStreams(std::size_t chunk_rows) {
  return data::ArrowRowStreams::Create({job_.get(), &slots_, plan_, root_, chunk_rows});
}

Result<data::TaskPlan> StreamFixture::PlanTask(const std::string& stream,
                                               const std::string& window) {
  PRIMUS_ASSIGN(const auto planner, data::FilesWindowPlanner::Create(*job_, slots_, root_));
  PRIMUS_ASSIGN(const data::WindowPlan plan, planner->Plan(stream, window, data::Unready::kWait));
  if (!plan.awaits.empty()) return UnavailableError("not ready");
  std::vector<data::TaskPlan> tasks = data::PackTasks(stream, window, plan.splits, 1000000);
  if (tasks.size() != 1) return InternalError("expected one task");
  tasks.front().id = 7;
  return tasks.front();
}

Result<batch::EncodedRows> StreamFixture::ReadAll(data::RowStreams& streams,
                                                  const data::TaskPlan& task,
                                                  const data::PhaseScope& scope,
                                                  const batch::IntervalSet& skip) {
  PRIMUS_ASSIGN(const auto stream, streams.Open(task, scope, skip));
  batch::EncodedRows all;
  while (true) {
    PRIMUS_ASSIGN(const auto chunk, stream->Next());
    if (!chunk) return all;
    AppendRows(*chunk, all);
  }
}

}  // namespace primus::tests
