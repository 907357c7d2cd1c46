#include "plugins/networks/deep_fm/deep_fm.h"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <vector>

#include "plugins/losses/bce/bce.h"
#include "primus/train/gradient_check.h"
#include "primus/train/model_step.h"
#include "primus/train/plan_model.h"
#include "primus/train/test_batch.h"

#include "plugins/networks/deep_fm/deep_fm.pb.h"

namespace primus::networks {
namespace {

std::string Hidden(std::initializer_list<uint32_t> widths) {
  DeepFmOptions options;
  for (const uint32_t width : widths) options.add_hidden(width);
  return options.SerializeAsString();
}

jobspec::ModelPlan TwoFeatures(const train::Network& network) {
  jobspec::ModelPlan plan;
  plan.tables = {train::TestTable("movie", 4, true), train::TestTable("user", 4, true)};
  plan.features.resize(2);
  plan.features[0].name = "movie";
  plan.features[1].name = "user";
  plan.features[1].table = 1;
  plan.dense = network.Segments(plan);
  return plan;
}

TEST(DeepFm, DenseParametersStartAsThoseOfPyTorch) {
  const auto network = MakeDeepFm(Hidden({16, 8})).value();
  const jobspec::ModelPlan plan = TwoFeatures(*network);
  ASSERT_EQ(plan.dense.size(), 7U);
  EXPECT_EQ(plan.dense[0].uniform_limit, 0);  // the bias of the whole
  EXPECT_EQ(plan.dense[1].name, "tower.0.weight");
  EXPECT_EQ(plan.dense[1].size, 8U * 16U);
  EXPECT_NEAR(plan.dense[1].uniform_limit, 1 / std::sqrt(8.0), 1e-12);
  EXPECT_NEAR(plan.dense[4].uniform_limit, 1 / std::sqrt(16.0), 1e-12);
  EXPECT_EQ(plan.dense_values(), 1U + 9 * 16 + 17 * 8 + 9);
}

TEST(DeepFm, GradientsAreSlopes) {
  const auto network = MakeDeepFm(Hidden({6, 5})).value();
  const jobspec::ModelPlan plan = TwoFeatures(*network);
  train::ModelStep step(plan, network->BuildModel(plan, losses::MakeBce("").value()));
  const train::TestBatch batch(train::LayoutOf(plan), {{.keys = {{1}, {7}}, .label = 1},
                                                       {.keys = {{2}, {7}}, .label = 0},
                                                       {.keys = {{1}, {8}}, .label = 0}});
  train::ExpectGradientsAreSlopes(step, plan, batch.view());
}

TEST(DeepFm, RefusesALayerWithoutWidth) {
  EXPECT_EQ(MakeDeepFm(Hidden({16, 0})).status().message(),
            "hidden: a layer has at least one value");
}

}  // namespace
}  // namespace primus::networks
