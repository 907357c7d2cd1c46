#include "primus/jobspec/job_file.h"

#include <gtest/gtest.h>

#include "primus/config/printer.h"
#include "primus/config/sample_slots.h"

#include "proto/config/job.pb.h"

namespace primus::jobspec {
namespace {

constexpr const char* kJob = R"(apiVersion: primus.io/v1alpha1
kind: Job
metadata:
  name: movielens
spec:
  data:
    range: {from: 1997-09-20, to: 1998-04-22}
    streams:
      - name: ratings
        sources:
          - name: ratings
            files: {path: "data/ratings/{{YYYY}}-{{MM}}-{{DD}}", format: {parquet: {}}}
            ready: {marker: _SUCCESS}
            eventTime: {column: timestamp}
          - name: users
            files: {path: data/users.parquet, format: {parquet: {}}}
            dimension: {as: Static}
        join: [{source: users, keys: [user_id]}]
        operators: [{compare: {column: rating, atLeast: 4, into: liked}}]
        shuffle: {within: Window}
  model:
    label: {column: liked}
    features:
      - {name: movie, column: movie_id, dim: 8}
      - {name: user, column: user_id, dim: 8}
    network: {deepFm: {hidden: [128, 64]}}
  train: {optimizer: {tables: {adagrad: {learningRate: 0.05}}}}
  evaluate: {from: 1998-03-07T02:21:09Z, holdout: {}, progressive: {}}
  roles:
    - {name: ps, ps: {}}
    - {name: executor, executor: {}}
    - {name: trainer, trainer: {}}
)";

class JobFileTest : public testing::Test {
 protected:
  Result<config::Job> Load(std::vector<std::string> sets = {}) {
    return LoadJob({"job.yaml", kJob, std::move(sets)}, samples_.slots());
  }
  config::SampleSlots samples_;
};

TEST_F(JobFileTest, FillsInWhatFollowsFromOtherFields) {
  const auto job = Load();
  ASSERT_TRUE(job.ok()) << job.status().ToString();
  EXPECT_EQ(job->spec().storage().uri(), "runs/movielens");
  EXPECT_EQ(job->spec().data().streams(0).base(), "ratings");
  EXPECT_EQ(job->spec().train().mode(), config::Async);
}

TEST_F(JobFileTest, ReplacesANetworkAndALearningRate) {
  const auto job = Load({"spec.model.network={matrixFactorization: {left: user, right: movie}}",
                         "spec.train.optimizer.tables.adagrad.learningRate=0.1"});
  ASSERT_TRUE(job.ok()) << job.status().ToString();
  const std::string text = config::ToYaml(*job, samples_.slots());
  EXPECT_NE(text.find("matrixFactorization:"), std::string::npos);
  EXPECT_NE(text.find("learningRate: 0.1\n"), std::string::npos);
  EXPECT_EQ(text.find("deepFm"), std::string::npos);
}

TEST_F(JobFileTest, FindsProblemsOfFieldsAndBetweenFieldsInOneRun) {
  const auto job = Load({"spec.train.mode=Asnc", "spec.roles[trainer].replicas=2",
                         "spec.data.streams[ratings].base=rating"});
  EXPECT_EQ(job.status().message(),
            "--set 1: spec.train.mode: expected Async or Sync, got Asnc; did you mean Async?\n"
            "--set 2: spec.roles[trainer].replicas: expected 1 as spec.evaluate.progressive is "
            "given, got 2\n"
            "--set 3: spec.data.streams[ratings].base: expected ratings or users, got rating; did "
            "you mean ratings?");
}

TEST_F(JobFileTest, KeepsPlacesForWhoeverChecksMore) {
  JobFile file = ReadJob({"job.yaml", kJob, {}}, samples_.slots());
  const std::string path = "spec.model.features[user].column";
  file.reading.problems.Add(file.reading.positions.Of(path), path, "no such column");
  EXPECT_EQ(file.reading.problems.ToStatus().message(),
            "job.yaml:25:30: spec.model.features[user].column: no such column");
}

TEST_F(JobFileTest, ResumesWithOtherReplicasOnly) {
  const auto job = Load();
  const auto resumed =
      ResumeJob({"movielens", *job, {"spec.roles[ps].replicas=2"}}, samples_.slots());
  ASSERT_TRUE(resumed.ok()) << resumed.status().ToString();
  EXPECT_EQ(resumed->spec().roles(0).replicas(), 2U);
  EXPECT_EQ(
      ResumeJob({"movielens", *job, {"spec.train.optimizer.tables.adagrad.learningRate=5"}},
                samples_.slots())
          .status()
          .message(),
      "--set 1: spec.train.optimizer.tables: expected what the job began with, got another value\n"
      "A job keeps this while it lives. To change it start anew: remove runs/movielens or give "
      "another spec.storage.uri, and run the job file");
}

TEST_F(JobFileTest, NullTakesAnOptionalKeyAway) {
  const auto job = Load({"spec.evaluate.progressive=null", "spec.evaluate.holdout={}"});
  ASSERT_TRUE(job.ok()) << job.status().ToString();
  EXPECT_FALSE(job->spec().evaluate().has_progressive());
  EXPECT_EQ(
      Load({"spec.evaluate.from=~"}).status().message(),
      "job.yaml:28:13: spec.evaluate.from: expected an instant such as 1998-03-07T02:21:09Z, got "
      "nothing");
  EXPECT_NE(Load({"spec.evaluate.progresive=null"}).status().message().find("did you mean"),
            std::string::npos);
}

}  // namespace
}  // namespace primus::jobspec
