// What the planner makes of a store's answers. With real files: tests/rows/window_planner_test.cc.
#include "primus/data/files_window_planner.h"

#include <arrow/type.h>
#include <gtest/gtest.h>

#include "proto/config/job.pb.h"

namespace primus::data {
namespace {

class RowsOnly final : public TableFile {
 public:
  explicit RowsOnly(uint64_t rows) : rows_(rows) {}
  const std::shared_ptr<arrow::Schema>& schema() const override { return schema_; }
  uint64_t rows() const override { return rows_; }
  Result<std::unique_ptr<BatchReader>> Read(const ReadScope&) override {
    return UnimplementedError("a plan needs no rows");
  }

 private:
  std::shared_ptr<arrow::Schema> schema_ = arrow::schema({});
  uint64_t rows_;
};

struct Answers {
  Result<FileListing> listing = FileListing{};
  std::map<std::string, uint64_t> rows;  // by path; others cannot be opened
  uint64_t version = 0;                  // of what is opened
};

class ScriptedStore final : public SourceStore {
 public:
  explicit ScriptedStore(const Answers& answers) : answers_(answers) {}
  Result<FileListing> List(std::optional<std::chrono::sys_days>) override {
    return answers_.listing;
  }
  Result<OpenedFile> Open(const std::string& path) override {
    const auto found = answers_.rows.find(path);
    if (found == answers_.rows.end()) return NotFoundError("opening " + path);
    return OpenedFile{std::make_unique<RowsOnly>(found->second), answers_.version};
  }
  std::string Describe(std::optional<std::chrono::sys_days>) const override { return "somewhere"; }

 private:
  const Answers& answers_;
};

class FilesWindowPlannerTest : public testing::Test {
 protected:
  Result<WindowPlan> Plan(Unready unready = Unready::kWait) {
    config::Job job;
    config::Data& data = *job.mutable_spec()->mutable_data();
    data.mutable_range()->set_from("2024-01-01");
    data.mutable_range()->set_to("2024-01-01");
    config::Stream& stream = *data.add_streams();
    stream.set_name("rows");
    stream.set_base("rows");
    config::Source& source = *stream.add_sources();
    source.set_name("rows");
    source.mutable_store()->set_key("scripted");
    DataSlots slots;
    slots.sources.Add("scripted", nullptr, [this](std::string_view, const SourceContext&) {
      return Result<std::unique_ptr<SourceStore>>(std::make_unique<ScriptedStore>(answers_));
    });
    PRIMUS_ASSIGN(const auto planner, FilesWindowPlanner::Create(job, slots, ""));
    return planner->Plan("rows", "2024-01-01", unready);
  }

  Answers answers_;
};

TEST_F(FilesWindowPlannerTest, AFileReplacedAfterItWasListedIsPlannedAsItIsNow) {
  answers_.listing = FileListing{"", {{"a", 1}}};
  answers_.rows = {{"a", 30}};
  answers_.version = 2;
  const auto plan = Plan();
  ASSERT_TRUE(plan.ok()) << plan.status().ToString();
  ASSERT_EQ(plan->splits.size(), 1U);
  EXPECT_EQ(plan->splits[0].version, 2U);
  EXPECT_EQ(plan->splits[0].rows, 30U);
}

TEST_F(FilesWindowPlannerTest, AFileWithoutRowsGivesNoSplit) {
  answers_.listing = FileListing{"", {{"a", 1}, {"b", 1}}};
  answers_.rows = {{"a", 0}, {"b", 5}};
  const auto plan = Plan();
  ASSERT_TRUE(plan.ok()) << plan.status().ToString();
  ASSERT_EQ(plan->splits.size(), 1U);
  EXPECT_EQ(plan->splits[0].path, "b");
}

TEST_F(FilesWindowPlannerTest, WhatCannotBeListedOrOpenedIsNoEmptyWindow) {
  for (const Unready unready : {Unready::kWait, Unready::kFail, Unready::kSkip, Unready::kUse}) {
    answers_.listing = UnavailableError("listing");
    EXPECT_EQ(Plan(unready).status().code(), StatusCode::kUnavailable);
    answers_.listing = FileListing{"", {{"gone", 1}}};
    EXPECT_EQ(Plan(unready).status().code(), StatusCode::kNotFound);
  }
}

TEST_F(FilesWindowPlannerTest, AWindowThatIsNotReadyIsNotOpenedUnlessItIsUsed) {
  answers_.listing = FileListing{"marker", {{"half written", 1}}};
  EXPECT_EQ(Plan(Unready::kWait).value().awaits, "marker");
  EXPECT_TRUE(Plan(Unready::kSkip).value().splits.empty());
  EXPECT_EQ(Plan(Unready::kFail).status().code(), StatusCode::kFailedPrecondition);
  EXPECT_EQ(Plan(Unready::kUse).status().code(), StatusCode::kNotFound);
}

}  // namespace
}  // namespace primus::data
