// A model for tests of this module: one table of width 2 and a few dense values, under an optimizer
// that subtracts gradients, so that a row is minus the sum of its gradients.
#pragma once

#include "primus/embedding/slab_store.h"
#include "primus/embedding/test_model.h"
#include "primus/jobspec/model_plan.h"

namespace primus::ps {

class TestModel {
 public:
  TestModel() {
    base_.plan.tables = {{.name = "row",
                          .dim = 2,
                          .first_order = false,
                          .init_normal_std = 0,
                          .optimizer = "summing",
                          .optimizer_options = {}}};
    base_.plan.dense = {{.name = "bias", .size = 3, .uniform_limit = 0}};
    base_.plan.dense_optimizer = "summing";
  }

  const jobspec::ModelPlan& plan() const { return base_.plan; }
  embedding::ShardStoreMaker Maker(const jobspec::ShardRange& shards) const {
    return [this, shards] {
      return embedding::SlabStore::Create(base_.plan, shards, {base_.tables, base_.dense});
    };
  }

 private:
  embedding::TestModel base_;
};

}  // namespace primus::ps
