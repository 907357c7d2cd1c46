// What people and scripts read: the table of jobs, the page of one, progress and the JSON line.
#include <gtest/gtest.h>

#include "apps/primus/job_table.h"
#include "apps/primus/progress.h"
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
  EXPECT_NE(table.find("Suspended"), std::string::npos) << table;
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
            "m  Running  ratings 1997-11-03  41234 rows/s  AUC 0.7123");
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
