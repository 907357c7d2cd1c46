#include "primus/config/problems.h"

#include <gtest/gtest.h>

namespace primus::config {
namespace {

TEST(Problems, StandInTheOrderOfTheFileThenOfTheCommandLine) {
  Problems problems("job.yaml");
  problems.Add({.set = 2}, "spec.seed", "third");
  problems.Add({.line = 9, .column = 3}, "spec.data", "second");
  problems.Add({.line = 2, .column = 30}, "", "first");
  EXPECT_EQ(problems.ToStatus().message(),
            "job.yaml:2:30: first\n"
            "job.yaml:9:3: spec.data: second\n"
            "--set 2: spec.seed: third");
  EXPECT_EQ(problems.ToStatus().code(), StatusCode::kInvalidArgument);
}

TEST(Problems, CountWhatTheyDoNotShow) {
  Problems problems("job.yaml");
  for (uint32_t i = 1; i <= 1000; ++i) problems.Add({.line = i}, "a", "wrong");
  ASSERT_EQ(problems.Lines().size(), 101U);
  EXPECT_EQ(problems.Lines().back(), "and 900 more");
}

TEST(Problems, TouchWhatIsAroundAndInside) {
  Problems problems("job.yaml");
  EXPECT_TRUE(problems.ToStatus().ok());
  problems.Add({}, "spec.data.streams[a]", "wrong");
  EXPECT_TRUE(problems.Touch("spec.data"));
  EXPECT_TRUE(problems.Touch("spec.data.streams[a].base"));
  EXPECT_FALSE(problems.Touch("spec.data.streams[ab]"));
  EXPECT_FALSE(problems.Touch("spec.data.stream"));
  EXPECT_FALSE(problems.Touch("spec.model"));
}

TEST(SourceMap, FallsBackToWhatIsAround) {
  SourceMap positions;
  positions.Add("", {.line = 1});
  positions.Add("spec.roles[a.b]", {.line = 7});
  positions.Add("spec.roles[a.b]", {.line = 8});
  EXPECT_EQ(positions.Of("spec.roles[a.b].replicas").line, 7U);
  EXPECT_EQ(positions.Of("spec.data.range.from").line, 1U);
}

}  // namespace
}  // namespace primus::config
