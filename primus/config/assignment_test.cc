#include "primus/config/assignment.h"

#include <gtest/gtest.h>

#include "primus/config/node_reader.h"
#include "primus/config/sample_slots.h"
#include "primus/config/yaml_writer.h"

#include "proto/config/job.pb.h"

namespace primus::config {
namespace {

constexpr const char* kBase = R"(spec:
  data:
    streams:
      - name: ratings
        window: Day
        join: [{source: users, keys: [id]}]
        operators: [{compare: {atLeast: 4}}]
  model: {network: {deepFm: {hidden: [1]}}}
  train: {optimizer: {tables: {adagrad: {learningRate: 0.05}}}}
)";

// What has become of `base`, or the problems.
std::string After(const std::string& base, const std::string& assignment) {
  SampleSlots samples;
  Problems problems("f");
  std::optional<Node> root = ReadNode(base, 0, &problems);
  Assign({1, assignment}, {*Job::descriptor(), samples.slots()}, &*root, &problems);
  return problems.empty() ? ToYaml(*root) : problems.ToStatus().message();
}

bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Assignment, ReplacesAValueWhole) {
  const std::string after =
      After(kBase, "spec.model.network={matrixFactorization: {left: user, right: movie}}");
  EXPECT_TRUE(Has(after,
                  "    network:\n      matrixFactorization:\n        left: user\n"
                  "        right: movie\n"));
  EXPECT_FALSE(Has(after, "deepFm"));
}

TEST(Assignment, DescendsIntoVariantsAndNamedItems) {
  EXPECT_TRUE(Has(After(kBase, "spec.train.optimizer.tables.adagrad.learningRate=0.1"),
                  "adagrad:\n          learningRate: 0.1\n"));
  EXPECT_TRUE(Has(After(kBase, "spec.data.streams[ratings].window=Hour"), "window: Hour\n"));
  EXPECT_TRUE(Has(After(kBase, "spec.data.streams[ratings].join[users].keys=[a, b]"),
                  "keys:\n              - a\n              - b\n"));
  EXPECT_TRUE(
      Has(After(kBase, "spec.data.streams[ratings].operators[0].compare.atLeast=5"), "atLeast: 5"));
}

TEST(Assignment, MakesWhatIsOnTheWay) {
  EXPECT_EQ(After("{}", "spec.evaluate.progressive.rows=7"),
            "spec:\n  evaluate:\n    progressive:\n      rows: 7\n");
  EXPECT_EQ(After("spec:", "spec.seed=7"), "spec:\n  seed: 7\n");
}

TEST(Assignment, KeepsAliasesApart) {
  EXPECT_EQ(After("a: &x {k: 1}\nb: *x", "b.k=2"), "a:\n  k: 1\nb:\n  k: 2\n");
}

TEST(Assignment, SaysWhatItCannotFind) {
  EXPECT_EQ(After(kBase, "spec.data.streams[rating].window=Hour"),
            "--set 1: spec.data.streams: expected ratings, got rating; did you mean ratings?");
  EXPECT_EQ(After(kBase, "spec.data.streams[ratings].operators[3].x=1"),
            "--set 1: spec.data.streams[ratings].operators: expected an ordinal below 1, got 3");
  EXPECT_EQ(After(kBase, "spec.data.streams.window=Hour"),
            "--set 1: spec.data.streams: expected a map, got a list");
  EXPECT_EQ(After(kBase, "spec[x]=1"), "--set 1: spec: expected a list, got a map");
}

TEST(Assignment, RefusesWhatIsNoAssignment) {
  for (const char* text : {"", "=1", "spec.seed", "spec..seed=1", ".seed=1", "[a]=1", "a[=1",
                           "a[]=1", "a.=1", "a[b]c=1", "a.[b]=1"}) {
    EXPECT_TRUE(Has(After(kBase, text), "expected PATH=VALUE")) << text;
  }
  EXPECT_TRUE(Has(After(kBase, "spec.seed="), "--set 1: expected a value, got nothing"));
  EXPECT_TRUE(Has(After(kBase, "spec.seed={a: 1"), "--set 1: expected YAML, got a syntax error"));
  EXPECT_TRUE(Has(After(kBase, "spec.seed={a: 1, a: 2}"), "--set 1: expected each key once"));
}

}  // namespace
}  // namespace primus::config
