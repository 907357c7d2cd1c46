#include "primus/config/walker.h"

#include <gtest/gtest.h>

#include "primus/config/sample_slots.h"

#include "primus/config/sample_plugins.pb.h"
#include "proto/config/job.pb.h"

namespace primus::config {
namespace {

constexpr const char* kHead = "apiVersion: primus.io/v1alpha1\nkind: Job\nmetadata: {name: j}\n";

class WalkerTest : public testing::Test {
 protected:
  // The problems of a job file, or "".
  std::string Read(const std::string& text, std::vector<std::string> sets = {}) {
    job_.Clear();
    const Reading reading = ReadYaml({"f", text, std::move(sets)}, samples_.slots(), &job_);
    return reading.problems.ToStatus().message();
  }
  // Of a job whose one role is as given.
  std::string ReadRole(const std::string& role) {
    return Read(kHead + std::string("spec: {roles: [") + role + "]}");
  }

  SampleSlots samples_;
  Job job_;
};

TEST_F(WalkerTest, FillsDefaultsIn) {
  ASSERT_EQ(ReadRole("{name: a, program: {command: [x]}}"), "");
  const Role& role = job_.spec().roles(0);
  EXPECT_EQ(role.replicas(), 1U);
  EXPECT_TRUE(role.success().all());
  EXPECT_EQ(role.restart().when(), Failure);
  EXPECT_EQ(role.restart().limit(), 10U);
  EXPECT_EQ(role.restart().within(), "10m");
  EXPECT_EQ(job_.spec().seed(), 1U);
  EXPECT_FALSE(job_.spec().has_train()) << "its default holds with a model only";
}

TEST_F(WalkerTest, ReadsVariantsByTheirPlugIns) {
  ASSERT_EQ(Read(kHead + std::string(R"(
spec:
  roles: [{name: a, ps: {}}]
  data:
    range: {from: 2024-01-01, to: 2024-01-02}
    streams:
      - name: s
        sources: [{name: b, files: {path: p, format: {csv: {header: false}}}}]
        operators: [{compare: {column: c, atLeast: 4, into: d}}]
  model:
    features: [{name: x, column: c, dim: 2}]
    network: {deepFm: {}}
)")),
            "");
  const Variant& store = job_.spec().data().streams(0).sources(0).store();
  EXPECT_EQ(store.key(), "files");
  sample::Files files;
  ASSERT_TRUE(files.ParseFromString(store.options()));
  EXPECT_EQ(files.path(), "p");
  EXPECT_EQ(files.format().key(), "csv");
  sample::Csv csv;
  ASSERT_TRUE(csv.ParseFromString(files.format().options()));
  EXPECT_EQ(csv.delimiter(), ",");
  EXPECT_FALSE(csv.header());
  sample::DeepFm deep_fm;
  ASSERT_TRUE(deep_fm.ParseFromString(job_.spec().model().network().options()));
  EXPECT_EQ(deep_fm.hidden_size(), 2);
  EXPECT_EQ(job_.spec().train().batch_size(), 256U);
  EXPECT_EQ(job_.spec().train().optimizer().tables().key(), "adagrad");
  EXPECT_EQ(job_.spec().save_point().every(), "30s");
  EXPECT_EQ(job_.spec().save_point().keep().last(), 3U);
}

TEST_F(WalkerTest, ReadsChoicesAsWordsOrMaps) {
  ASSERT_EQ(ReadRole("{name: a, ps: {}, success: Any}"), "");
  EXPECT_TRUE(job_.spec().roles(0).success().any());
  ASSERT_EQ(ReadRole("{name: a, ps: {}, success: {replica: 3}}"), "");
  EXPECT_EQ(job_.spec().roles(0).success().replica(), 3U);
  EXPECT_EQ(ReadRole("{name: a, ps: {}, success: Al}"),
            "f:4:43: spec.roles[a].success: expected All, Any or {replica: …}, got Al; did you "
            "mean All?");
  EXPECT_EQ(ReadRole("{name: a, ps: {}, success: {}}"),
            "f:4:43: spec.roles[a].success: expected All, Any or {replica: …}, got none of them");
  EXPECT_EQ(ReadRole("{name: a, ps: {}, trainer: {}}"),
            "f:4:34: spec.roles[a]: expected one of ps, executor, trainer or program, got ps and "
            "trainer");
}

TEST_F(WalkerTest, RefusesWhatOtherYamlReadersTakeForSomethingElse) {
  EXPECT_EQ(ReadRole("{name: on, ps: {}}"),
            "f:4:23: spec.roles[on].name: expected a name of at most 63 lower case letters, digits "
            "and -, got on, a boolean of YAML 1.1; in quotes it is a string: \"on\"");
  EXPECT_EQ(ReadRole("{name: '1', ps: {}}"), "");
  EXPECT_NE(ReadRole("{name: 1, ps: {}}"), "");
  EXPECT_NE(ReadRole("{name: a, ps: {}, env: [{name: A, value: 1}]}"), "");
  EXPECT_NE(ReadRole("{name: a, ps: {}, env: [{name: A, value: yes}]}"), "");
  EXPECT_EQ(ReadRole("{name: a, ps: {}, env: [{name: A, value: ''}]}"), "");
  EXPECT_NE(ReadRole("{name: a, ps: {}, replicas: '2'}"), "");
  EXPECT_EQ(ReadRole("{name: a, ps: {}, resources: {limits: {cpu: 2, memory: 4Gi}}}"), "");
}

TEST_F(WalkerTest, HoldsBounds) {
  EXPECT_EQ(ReadRole("{name: a, ps: {}, replicas: 0}"),
            "f:4:44: spec.roles[a].replicas: expected a whole number from 1 to 10000, got 0");
  for (const char* wrong :
       {"1.5", "-1", "4294967297", "99999999999999999999999", "1e2", "0x10", "~", "[1]", "one"}) {
    EXPECT_NE(ReadRole(std::string("{name: a, ps: {}, replicas: ") + wrong + "}"), "") << wrong;
  }
  EXPECT_EQ(ReadRole("{name: a, ps: {}, restart: {within: 1ms}}"),
            "f:4:52: spec.roles[a].restart.within: expected a duration such as 30s, 300ms or "
            "1h30m, of at least 1 seconds, got 1ms");
}

TEST_F(WalkerTest, SetsValuesFromTheCommandLine) {
  const std::string text = kHead + std::string("spec: {roles: [{name: a, ps: {}}]}");
  ASSERT_EQ(Read(text, {"spec.roles[a].replicas=3", "spec.seed=9", "spec.storage.uri=x/y"}), "");
  EXPECT_EQ(job_.spec().roles(0).replicas(), 3U);
  EXPECT_EQ(job_.spec().seed(), 9U);
  EXPECT_EQ(job_.spec().storage().uri(), "x/y");
  EXPECT_EQ(Read(text, {"spec.seed=1", "spec.roles[a].replicas=many"}),
            "--set 2: spec.roles[a].replicas: expected a whole number from 1 to 10000, got many");
}

TEST_F(WalkerTest, GoesOnAfterProblems) {
  const std::string text = kHead + std::string("spec: {seed: x, roles: [{name: a, ps: {}}]}");
  Job job;
  const Reading reading = ReadYaml({"f", text, {}}, samples_.slots(), &job);
  EXPECT_EQ(reading.problems.size(), 1U);
  EXPECT_EQ(job.spec().roles(0).name(), "a");
  EXPECT_EQ(reading.positions.Of("spec.roles[a].name"), (Position{.line = 4, .column = 32}));
}

}  // namespace
}  // namespace primus::config
