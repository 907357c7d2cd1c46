// For tests: the gradients of a step against the slope of its loss, parameter by parameter.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "primus/base/seeded.h"
#include "primus/jobspec/model_plan.h"
#include "primus/train/step.h"

namespace primus::train {

// Rows and dense parameters of moderate size, different in every value.
struct TestParameters {
  TableRows rows;
  std::vector<float> dense;
};
inline TestParameters RandomParameters(const jobspec::ModelPlan& plan, const BatchKeys& keys) {
  SeededSequence random(7);
  const auto draw = [&random] { return static_cast<float>(random.NextUnit() - 0.5); };
  TestParameters result;
  for (std::size_t table = 0; table < plan.tables.size(); ++table) {
    result.rows.emplace_back(keys.unique[table].size() * plan.tables[table].width());
    std::ranges::generate(result.rows.back(), draw);
  }
  result.dense.resize(plan.dense_values());
  std::ranges::generate(result.dense, draw);
  return result;
}

// Table gradients are slopes of the batch's summed loss, dense ones of its mean.
inline void ExpectGradientsAreSlopes(Step& step, const jobspec::ModelPlan& plan,
                                     const batch::MiniBatchView& batch) {
  constexpr float kStep = 2e-3F;
  const BatchKeys keys = step.Prepare(batch);
  TestParameters parameters = RandomParameters(plan, keys);
  const auto run = [&] {
    return step
        .Run({.batch = batch, .keys = keys, .rows = parameters.rows, .dense = parameters.dense})
        .value();
  };
  const StepResult result = run();
  const auto slope = [&](float& value) {
    const float before = value;
    value = before + kStep;
    const double above = run().scores.loss_sum;
    value = before - kStep;
    const double below = run().scores.loss_sum;
    value = before;
    return (above - below) / (2 * static_cast<double>(kStep));
  };
  const auto expect_near = [](double numeric, double analytic, const std::string& what) {
    EXPECT_NEAR(numeric, analytic, 4e-3 + 0.01 * std::abs(analytic)) << what;
  };
  for (std::size_t table = 0; table < parameters.rows.size(); ++table) {
    if (plan.baseline_item >= 0 && table == plan.baseline_table) continue;
    for (std::size_t i = 0; i < parameters.rows[table].size(); ++i) {
      expect_near(slope(parameters.rows[table][i]), result.gradients[table][i],
                  plan.tables[table].name + " value " + std::to_string(i));
    }
  }
  const auto rows = static_cast<double>(batch.rows());
  for (std::size_t i = 0; i < parameters.dense.size(); ++i) {
    expect_near(slope(parameters.dense[i]) / rows, result.dense_gradient[i],
                "dense value " + std::to_string(i));
  }
}

}  // namespace primus::train
