// What people and scripts read: the table of jobs, the page of one, progress and the JSON line.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "apps/primus/job_table.h"
#include "apps/primus/progress.h"
#include "apps/primus/report.h"
#include "apps/primus/summary.h"
#include "primus/api/conditions.h"

#include "proto/config/job.pb.h"
#include "proto/wire/node.pb.h"

namespace primus::apps {
namespace {

constexpr WallTime kStart{Seconds(1000)};

wire::JobStatus RunningStatus() {
  wire::JobStatus status;
  api::SetCondition(&status, {.type = api::kRunning, .reason = "Started"}, kStart, 1);
  wire::RoleStatus* role = status.add_roles();
  role->set_name("trainer");
  role->set_desired(2);
  role->set_ready(1);
  role->set_restarts(3);
  (*status.mutable_metrics())["auc"] = 0.71234;
  (*status.mutable_metrics())["rowsPerSecond"] = 41234.5;
  wire::StreamStatus* stream = status.add_streams();
  stream->set_name("ratings");
  stream->set_window("1997-11-03");
  stream->set_phase("pass 2/3");
  return status;
}

api::Object JobObject(const wire::JobStatus& status) {
  config::Job job;
  config::Role* role = job.mutable_spec()->add_roles();
  role->set_name("trainer");
  role->set_replicas(2);
  role->mutable_trainer();
  wire::StoredJob stored;
  stored.set_job(job.SerializeAsString());
  stored.set_storage("/w/runs/m");
  api::Object object;
  object.kind = api::kJobKind;
  object.name = "m";
  object.spec = stored.SerializeAsString();
  object.status = status.SerializeAsString();
  object.created = kStart;
  return object;
}

TEST(JobTableTest, ColumnsAreAligned) {
  EXPECT_EQ(
      JobTable({JobObject(RunningStatus())}, {.now = kStart + Seconds(300), .running_job = "m"}),
      "NAME   PHASE     PS   TRAINERS   EXECUTORS   RESTARTS   AUC      AGE\n"
      "m      Running   -    1/2        -           3          0.7123   5m\n");
}

TEST(JobTableTest, JobWhoseNodeWasKilledIsSuspended) {
  const std::string table = JobTable({JobObject(RunningStatus())}, {.now = kStart});
  EXPECT_NE(table.find("Suspended   -    0/2"), std::string::npos) << table;
}

TEST(JobTableTest, PageShowsNumbersAsTheProgressDoesAndNoWindowAtTheEnd) {
  wire::JobStatus status = RunningStatus();
  (*status.mutable_metrics())["entries"] = 6366;
  std::string page = JobPage(JobObject(status), {.now = kStart, .running_job = "m"});
  EXPECT_NE(page.find("Stream ratings: pass 2/3, window 1997-11-03\n"), std::string::npos) << page;
  EXPECT_NE(page.find("Metrics: 41234 rows/s, first-pass AUC 0.7123, 6366 entries\n"),
            std::string::npos)
      << page;
  status.mutable_streams(0)->Clear();
  status.mutable_streams(0)->set_name("ratings");
  (*status.mutable_streams(0)->mutable_rows())["read"] = 7;
  page = JobPage(JobObject(status), {.now = kStart});
  EXPECT_NE(page.find("Stream ratings: read 7\n"), std::string::npos) << page;
}

TEST(JobTableTest, AdviceNamesTheWorkDirectoryThatWasGiven) {
  const std::string page =
      JobPage(JobObject(RunningStatus()),
              {.now = kStart, .work = {.path = "/w/my try", .given = "my try"}});
  EXPECT_NE(page.find("`primus resume m --workdir 'my try'`"), std::string::npos) << page;
}

TEST(JobTableTest, PageOfAFailedJobSaysWhyAndWhatNext) {
  wire::JobStatus status = RunningStatus();
  api::SetCondition(&status, {.type = api::kFailed, .reason = "R", .message = "disk full"}, kStart,
                    1);
  const std::string page = JobPage(JobObject(status), {.now = kStart});
  EXPECT_NE(page.find("Cause: disk full"), std::string::npos) << page;
  EXPECT_NE(page.find("primus resume m"), std::string::npos) << page;
}

TEST(AgeTextTest, UnitsGrow) {
  EXPECT_EQ(AgeText(Seconds(-5)), "0s");
  EXPECT_EQ(AgeText(Seconds(119)), "119s");
  EXPECT_EQ(AgeText(Seconds(120)), "2m");
  EXPECT_EQ(AgeText(Seconds(7200)), "2h");
  EXPECT_EQ(AgeText(Seconds(3 * 86400)), "3d");
}

TEST(ProgressLineTest, ShowsWhatThereIs) {
  EXPECT_EQ(ProgressLine("m", RunningStatus()),
            "m  Running  ratings pass 2/3 1997-11-03  41234 rows/s  first-pass AUC 0.7123");
}

TEST(ProgressLineTest, SaysWhatIsWaitedForUntilItIsThere) {
  wire::JobStatus status;
  api::SetCondition(&status, {.type = api::kRunning}, kStart, 1);
  api::SetCondition(&status, {.type = api::kStalled, .message = "waits for a/_SUCCESS"}, kStart, 1);
  EXPECT_EQ(ProgressLine("m", status), "m  Running  waits for a/_SUCCESS");
  api::SetCondition(&status, {.type = api::kStalled, .truth = api::Truth::kFalse}, kStart, 1);
  EXPECT_EQ(ProgressLine("m", status), "m  Running");
}

TEST(ProgressLineTest, IsCutBetweenCharacters) {
  EXPECT_EQ(CutTo(0, "abc"), "abc");
  EXPECT_EQ(CutTo(3, "abc"), "abc");
  EXPECT_EQ(CutTo(2, "abc"), "ab");
  EXPECT_EQ(CutTo(2, "a\u2026"), "a");
}

std::string Shown(const std::vector<wire::JobStatus>& statuses) {
  char* text = nullptr;
  std::size_t size = 0;
  std::FILE* out = ::open_memstream(&text, &size);
  Progress progress("m", ProgressStyle::kLines, out);
  for (const wire::JobStatus& status : statuses) progress.Show(status);
  std::fclose(out);
  std::string shown(text, size);
  std::free(text);
  return shown;
}

TEST(ProgressTest, EveryRestartIsALineAlsoWhenItIsOver) {
  wire::JobStatus running;
  api::SetCondition(&running, {.type = api::kRunning}, kStart, 1);
  wire::JobStatus restarted = running;
  const api::ConditionChange over{
      .type = api::kRestarting, .truth = api::Truth::kFalse, .message = "ps-0 killed"};
  api::SetCondition(&restarted, over, kStart, 1);
  EXPECT_EQ(Shown({running, restarted, restarted}), "m  Running\nm  restarts: ps-0 killed\n");
  EXPECT_EQ(Shown({restarted, restarted}), "m  Running\n") << "of an earlier run of the job";
}

TEST(SummaryTextTest, BaselinesThatWereNotAskedForAreLeftOut) {
  wire::JobStatus status;
  status.set_summary_json(
      R"({"metrics":{"holdout":{"auc":0.5},"baselines":{"itemMean":{"holdout":null}}}})");
  EXPECT_NE(SummaryText(status).find("hold-out AUC 0.5000\n"), std::string::npos);
}

TEST(SummaryLineTest, OverlaysTheMastersSummaryAndKeepsEveryKey) {
  wire::JobStatus status;
  api::SetCondition(&status, {.type = api::kCompleted}, kStart, 1);
  status.set_summary_json(
      R"({"rows":{"read":7},"metrics":{"holdout":{"auc":0.5},"progressive":null}})");
  const std::string line = SummaryLine("m", status, 1.5);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  EXPECT_TRUE(
      line.starts_with(R"({"job":"m","condition":"Completed","seconds":1.5,"rows":{"read":7,)"))
      << line;
  for (const char* part :
       {R"("trained":0)", R"("holdout":{"auc":0.5})", R"("progressive":null)",
        R"("baselines":{"constant":null,"itemMean":null,"counts":null})", R"("checkpoint":null)"}) {
    EXPECT_NE(line.find(part), std::string::npos) << part << " in " << line;
  }
}

}  // namespace
}  // namespace primus::apps
