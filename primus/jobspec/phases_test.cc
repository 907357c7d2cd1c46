#include "primus/jobspec/phases.h"

#include <gtest/gtest.h>

#include "primus/config/timestamp.h"

#include "proto/config/job.pb.h"

namespace primus::jobspec {
namespace {

config::Job Job() {
  config::Job job;
  config::JobSpec& spec = *job.mutable_spec();
  spec.mutable_model();
  spec.mutable_data()->add_streams()->mutable_shuffle();
  spec.mutable_train()->set_passes(2);
  spec.mutable_train()->set_batch_size(64);
  return job;
}

TEST(Phases, AreThePassesWithoutEvaluation) {
  const std::vector<Phase> phases = PhasesOf(Job());
  ASSERT_EQ(phases.size(), 2U);
  EXPECT_EQ(phases[1].pass, 1U);
  EXPECT_FALSE(phases[1].to.has_value());
  EXPECT_TRUE(phases[1].shuffle);
  EXPECT_EQ(phases[1].batch_rows, 64U);
}

TEST(Phases, EndWithHoldoutAndProgressiveOnTheSameRows) {
  config::Job job = Job();
  job.mutable_spec()->mutable_evaluate()->set_from("1998-03-07T02:21:09Z");
  job.mutable_spec()->mutable_evaluate()->mutable_holdout();
  job.mutable_spec()->mutable_evaluate()->mutable_progressive()->set_rows(256);
  const WallTime cut = *config::ParseTimestamp("1998-03-07T02:21:09Z");
  const std::vector<Phase> phases = PhasesOf(job);
  ASSERT_EQ(phases.size(), 4U);
  EXPECT_EQ(phases[0].to, cut);
  EXPECT_EQ(phases[2].purpose, batch::Purpose::kHoldout);
  EXPECT_EQ(phases[2].from, cut);
  EXPECT_FALSE(phases[2].shuffle);
  EXPECT_EQ(phases[3].purpose, batch::Purpose::kProgressive);
  EXPECT_EQ(phases[3].from, cut);
  EXPECT_EQ(phases[3].batch_rows, 256U);
  EXPECT_EQ(phases[3].pass, 3U);
  EXPECT_TRUE(phases[3].alone);
}

TEST(Phases, AreNoneForAJobOfPrograms) {
  config::Job job;
  job.mutable_spec()->add_roles()->mutable_program();
  EXPECT_TRUE(PhasesOf(job).empty());
}

}  // namespace
}  // namespace primus::jobspec
