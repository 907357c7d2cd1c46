#include "primus/config/change.h"

#include <gtest/gtest.h>

#include "primus/config/sample_slots.h"

#include "proto/config/job.pb.h"

namespace primus::config {
namespace {

constexpr const char* kJob = R"(apiVersion: primus.io/v1alpha1
kind: Job
metadata: {name: j}
spec:
  roles:
    - {name: a, ps: {}}
    - {name: b, trainer: {}, env: [{name: A, value: x}]}
)";

// What is wrong with a job that goes on under these assignments.
std::string ChangeOf(std::vector<std::string> first, std::vector<std::string> sets) {
  SampleSlots samples;
  Job before;
  Job after;
  ReadYaml({"f", kJob, std::move(first)}, samples.slots(), &before);
  Reading reading = ReadYaml({"f", kJob, std::move(sets)}, samples.slots(), &after);
  EXPECT_EQ(reading.problems.ToStatus().message(), "");
  RefuseChanges(before, after, &reading);
  return reading.problems.ToStatus().message();
}

std::string Change(std::vector<std::string> sets) { return ChangeOf({}, std::move(sets)); }

TEST(Change, AllowsReplicasAndRestartRules) {
  EXPECT_EQ(Change({"spec.roles[a].replicas=4", "spec.roles[b].restart.limit=2"}), "");
}

TEST(Change, AllowsEnvironment) {
  EXPECT_EQ(Change({"spec.roles[b].env[A].value=z", "spec.roles[b].env=[{name: B, value: z}]"}),
            "");
}

constexpr const char* kReady =
    "spec.data={range: {from: 2025-01-01, to: 2025-01-02}, streams: [{name: s, sources: [{name: a, "
    "files: {path: p, format: {parquet: {}}}, ready: {timeout: 1h}}]}]}";

TEST(Change, AllowsWhatIsChangeableBeneathWhatIsNot) {
  const std::string ready = "spec.data.streams[s].sources[a].ready.";
  EXPECT_EQ(ChangeOf({kReady}, {kReady, ready + "timeout=2h", ready + "onTimeout=Skip"}), "");
  EXPECT_EQ(ChangeOf({kReady}, {kReady, ready + "timeout=2h", ready + "marker=done"}),
            "--set 3: " + ready + "marker: expected what the job began with, got another value");
}

TEST(Change, RefusesWhatAJobIsMadeOf) {
  EXPECT_EQ(Change({"spec.roles[a].replicas=4", "spec.seed=7"}),
            "--set 2: spec.seed: expected what the job began with, got another value");
  EXPECT_EQ(Change({"spec.roles=[{name: a, ps: {}}, {name: c, trainer: {}}]"}),
            "--set 1: spec.roles[b]: expected what the job began with, got another value\n"
            "--set 1: spec.roles[c]: expected what the job began with, got another value");
  EXPECT_EQ(Change({"spec.roles[b]={name: b, executor: {}}"}),
            "--set 1: spec.roles[b].executor: expected what the job began with, got another value\n"
            "--set 1: spec.roles[b].trainer: expected what the job began with, got another value");
}

}  // namespace
}  // namespace primus::config
