#include "plugins/networks/counter/counter.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "primus/train/model_step.h"
#include "primus/train/plan_model.h"
#include "primus/train/test_batch.h"

namespace primus::networks {
namespace {

jobspec::ModelPlan OneTable(uint32_t dim) {
  jobspec::ModelPlan plan;
  plan.tables = {train::TestTable("row", dim, false)};
  plan.features.resize(1);
  plan.features[0].name = "row";
  return plan;
}

TEST(Counter, GradientIsMinusTheNumberOfRowsWithTheKey) {
  const auto network = MakeCounter("").value();
  const jobspec::ModelPlan plan = OneTable(1);
  ASSERT_TRUE(network->Check(plan).ok());
  train::ModelStep step(plan, network->BuildModel(plan, nullptr));
  const train::TestBatch batch(train::LayoutOf(plan),
                               {{.keys = {{5}}}, {.keys = {{6}}}, {.keys = {{5}}}, {.keys = {{}}}});
  const train::BatchKeys keys = step.Prepare(batch.view());
  EXPECT_EQ(keys.unique[0], (std::vector<uint64_t>{5, 6}));
  const train::TableRows rows{{100, 200}};
  const auto result =
      step.Run({.batch = batch.view(), .keys = keys, .rows = rows, .dense = {}}).value();
  EXPECT_EQ(result.gradients[0], (std::vector<float>{-2, -1}));
  EXPECT_TRUE(result.scores.predictions.empty());
  EXPECT_EQ(result.scores.labels.size(), 4U);
}

TEST(Counter, NeedsOneTableOfDimOneFromZero) {
  const auto network = MakeCounter("").value();
  EXPECT_EQ(network->Needs().start, train::TableStart::kZeros);
  EXPECT_FALSE(network->Needs().label);
  EXPECT_EQ(network->Check(OneTable(8)).message(),
            "spec.model: the counter network has one table, of dim 1");
}

}  // namespace
}  // namespace primus::networks
