#include "primus/executor/slot_size.h"

#include <gtest/gtest.h>

#include <memory>
#include <utility>
#include <vector>

#include "primus/batch/minibatch.h"
#include "primus/executor/batch_cutter.h"

namespace primus::executor {
namespace {

jobspec::ModelPlan PlanOf(std::size_t multi_hot_columns) {
  jobspec::ModelPlan plan;
  jobspec::FeatureSpec category;
  category.name = "movie";
  category.columns = {"movie_id"};
  jobspec::FeatureSpec multi_hot;
  multi_hot.name = "genres";
  multi_hot.source = jobspec::FeatureSource::kMultiHot;
  multi_hot.columns.resize(multi_hot_columns);
  jobspec::FeatureSpec price;
  price.name = "price";
  price.source = jobspec::FeatureSource::kDense;
  price.columns = {"price"};
  plan.features = {category, multi_hot, price};
  return plan;
}

TEST(SlotSize, HoldsTheLargestBatchOfAJobAndLittleMore) {
  const batch::Layout layout{{{"movie", batch::FeatureKind::kKeys},
                              {"genres", batch::FeatureKind::kKeys},
                              {"price", batch::FeatureKind::kDense}}};
  for (const uint32_t rows : {1U, 7U, 256U, 5000U}) {
    batch::EncodedRows all;
    all.positions.resize(rows);
    all.labels.resize(rows);
    all.dense.assign(1, std::vector<float>(rows));
    all.keys.resize(2);
    for (uint32_t i = 0; i <= rows; ++i) {
      all.keys[0].offsets.push_back(i);
      all.keys[1].offsets.push_back(i * 19);
    }
    all.keys[0].keys.resize(rows);
    all.keys[1].keys.resize(rows * 19);
    const std::vector<batch::RowRange> ranges{{&all, 0, rows}};
    const uint64_t needed = batch::MiniBatchBytes(layout, ranges, rows + kSkippedSpansMax);
    EXPECT_GE(SlotBytes(PlanOf(19), rows), needed);
    EXPECT_LE(SlotBytes(PlanOf(19), rows), needed + 1024);
  }
}

}  // namespace
}  // namespace primus::executor
