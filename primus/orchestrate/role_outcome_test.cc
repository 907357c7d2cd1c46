#include "primus/orchestrate/role_outcome.h"

#include <gtest/gtest.h>

#include "primus/orchestrate/job_plan.h"

#include "proto/config/job.pb.h"

namespace primus::orchestrate {
namespace {

TEST(RoleOutcomeTest, OutOfReachIsFailed) {
  const std::vector<ReplicaState> half{ReplicaState::kSucceeded, ReplicaState::kFailed};
  EXPECT_EQ(JudgeRole(AllSucceed{}, half), RoleOutcome::kFailed);
  EXPECT_EQ(JudgeRole(AnySucceeds{}, half), RoleOutcome::kSucceeded);
  EXPECT_EQ(JudgeRole(ReplicaSucceeds{1}, half), RoleOutcome::kFailed);
  EXPECT_EQ(JudgeRole(ReplicaSucceeds{2}, half), RoleOutcome::kFailed);
  const std::vector<ReplicaState> open{ReplicaState::kWaiting, ReplicaState::kFailed};
  EXPECT_EQ(JudgeRole(AnySucceeds{}, open), RoleOutcome::kOpen);
}

TEST(JobPlanTest, TrainingJobGetsAMasterInFront) {
  config::Job job;
  job.mutable_metadata()->set_name("j");
  config::Role* role = job.mutable_spec()->add_roles();
  role->set_name("ps");
  role->set_replicas(2);
  role->mutable_ps();
  const Result<JobPlan> plan = PlanJob(job, 3);
  ASSERT_TRUE(plan.ok());
  ASSERT_EQ(plan->roles.size(), 2u);
  EXPECT_EQ(plan->roles[0].name, "master");
  EXPECT_EQ(plan->roles[1].replicas, 2u);
  EXPECT_EQ(plan->run, 3u);
}

TEST(JobPlanTest, ProgramsKeepTheirRules) {
  config::Job job;
  config::Role* role = job.mutable_spec()->add_roles();
  role->set_name("w");
  role->set_replicas(1);
  role->mutable_program()->add_command("true");
  role->mutable_restart()->set_when(config::Never);
  role->mutable_restart()->set_limit(3);
  role->mutable_restart()->set_within("1m30s");
  role->mutable_success()->set_replica(0);
  const Result<JobPlan> plan = PlanJob(job, 1);
  ASSERT_TRUE(plan.ok());
  ASSERT_EQ(plan->roles.size(), 1u);
  EXPECT_FALSE(plan->has_master());
  EXPECT_EQ(plan->roles[0].when, RestartWhen::kNever);
  EXPECT_EQ(plan->roles[0].budget.limit, 3u);
  EXPECT_EQ(plan->roles[0].budget.within, Seconds(90));
  EXPECT_TRUE(std::holds_alternative<ReplicaSucceeds>(plan->roles[0].success));
}

}  // namespace
}  // namespace primus::orchestrate
