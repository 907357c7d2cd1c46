#include "plugins/networks/matrix_factorization/matrix_factorization.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "plugins/initializers/normal/normal.h"
#include "plugins/losses/bce/bce.h"
#include "plugins/optimizers/sgd/sgd.h"
#include "primus/train/model_step.h"
#include "primus/train/plan_model.h"
#include "primus/train/test_batch.h"

#include "plugins/networks/matrix_factorization/matrix_factorization.pb.h"
#include "plugins/optimizers/sgd/sgd.pb.h"
#include "proto/config/job.pb.h"

namespace primus::networks {
namespace {

std::string Sides(const std::string& left, const std::string& right) {
  MatrixFactorizationOptions options;
  options.set_left(left);
  options.set_right(right);
  return options.SerializeAsString();
}

TEST(MatrixFactorization, UsesItsTwoFeaturesOnly) {
  const auto network = MakeMatrixFactorization(Sides("user", "movie")).value();
  EXPECT_EQ(network->Needs().features, (std::vector<std::string>{"user", "movie"}));
}

TEST(MatrixFactorization, LogitIsBiasPlusWeightsPlusDotProduct) {
  const auto network = MakeMatrixFactorization(Sides("user", "movie")).value();
  jobspec::ModelPlan plan;
  plan.tables = {train::TestTable("user", 2, true), train::TestTable("movie", 2, true)};
  plan.features.resize(2);
  plan.features[0].name = "user";
  plan.features[1].name = "movie";
  plan.features[1].table = 1;
  plan.dense = network->Segments(plan);
  train::ModelStep step(plan, network->BuildModel(plan, losses::MakeBce("").value()));
  const train::TestBatch batch(train::LayoutOf(plan), {{.keys = {{1}, {2}}, .label = 1}});
  const train::BatchKeys keys = step.Prepare(batch.view());
  const train::TableRows rows{{2, 3, 0.25F}, {5, -1, 0.5F}};
  const std::vector<float> dense{0.125F};
  const auto result =
      step.Run({.batch = batch.view(), .keys = keys, .rows = rows, .dense = dense}).value();
  EXPECT_FLOAT_EQ(result.scores.predictions[0].logits[0], 0.125F + 0.25F + 0.5F + 10 - 3);
}

TEST(MatrixFactorization, BaselinesAreATableThatCounts) {
  config::JobSpec spec;
  spec.mutable_model()->mutable_label()->set_column("liked");
  spec.mutable_model()->mutable_network()->set_key("matrixFactorization");
  spec.mutable_model()->mutable_network()->set_options(Sides("user", "movie"));
  for (const char* name : {"movie", "hour", "user"}) {
    config::Feature* feature = spec.mutable_model()->add_features();
    feature->set_name(name);
    feature->set_column(name);
    feature->set_dim(8);
  }
  spec.mutable_evaluate()->mutable_baselines()->set_item("movie");
  spec.mutable_evaluate()->mutable_baselines()->set_user("user");
  train::TrainSlots slots;
  AddMatrixFactorization(slots.networks);
  initializers::AddNormal(slots.initializers);
  embedding::OptimizerSlot optimizers("tableOptimizers");
  optimizers::AddSgd(&optimizers);
  const jobspec::ModelPlan plan = train::PlanModel(spec, slots, optimizers).value();
  EXPECT_EQ(plan.baseline_item, 0);
  EXPECT_EQ(plan.baseline_user, 1);
  ASSERT_EQ(plan.baseline_table, 2U);
  EXPECT_EQ(plan.tables[2].width(), 2U);
  EXPECT_EQ(plan.tables[2].init_normal_std, 0);
  EXPECT_EQ(plan.tables[2].optimizer, "sgd");
  optimizers::SgdOptions options;
  ASSERT_TRUE(options.ParseFromString(plan.tables[2].optimizer_options));
  EXPECT_EQ(options.learning_rate(), 1);
}

TEST(MatrixFactorization, NeedsTwoDifferentFeatures) {
  EXPECT_EQ(MakeMatrixFactorization(Sides("user", "user")).status().message(),
            "left and right: name two features");
}

}  // namespace
}  // namespace primus::networks
