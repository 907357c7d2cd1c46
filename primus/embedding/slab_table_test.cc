#include "primus/embedding/slab_table.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "primus/base/seeded.h"
#include "primus/embedding/initial_values.h"
#include "primus/embedding/test_model.h"

namespace primus::embedding {
namespace {

jobspec::TableSpec Spec(uint32_t dim) {
  return {.name = "t",
          .dim = dim,
          .first_order = true,
          .init_normal_std = 0.1,
          .optimizer = "summing",
          .optimizer_options = {}};
}

// What the table should be: key → values and state.
using Model = std::map<uint64_t, std::vector<float>>;

std::vector<float>& RowOf(Model& model, const jobspec::TableSpec& spec, uint64_t key) {
  std::vector<float>& row = model[key];
  if (row.empty()) {
    row.assign(spec.width() * 2, 0.5F);
    InitialRow(spec, SeedOfName(3, spec.name), key, {row.data(), spec.width()});
  }
  return row;
}

void ExpectEqual(const FrozenTable& frozen, const Model& model, const char* what) {
  ASSERT_EQ(frozen.rows(), model.size()) << what;
  for (uint32_t row = 0; row < frozen.rows(); ++row) {
    const auto it = model.find(frozen.key(row));
    ASSERT_NE(it, model.end()) << what;
    for (std::size_t i = 0; i < it->second.size(); ++i) {
      ASSERT_EQ(frozen.floats(row)[i], it->second[i]) << what << " key " << it->first;
    }
  }
}

// Random pulls, peeks, pushes and freezes against a map. Half of the keys of a batch repeat, and
// keys crowd into few values, so that rows are met again and again.
void CompareWithMap(uint64_t seed, uint32_t dim) {
  SeededSequence random(seed);
  const SummingOptimizer optimizer;
  const jobspec::TableSpec spec = Spec(dim);
  SlabTable table(spec, 3, optimizer);
  Model model;
  std::vector<std::pair<FrozenTable, Model>> frozen;
  for (int turn = 0; turn < 120; ++turn) {
    std::vector<uint64_t> keys(random.Below(70));
    for (uint64_t& key : keys) {
      key = random.Below(2) == 0 ? Mix64(random.Below(4000)) : random.Below(300);
    }
    const uint64_t action = random.Below(8);
    std::vector<float> numbers(keys.size() * spec.width());
    if (action == 0 && frozen.size() < 6) {
      frozen.emplace_back(table.Freeze(), model);
    } else if (action < 3) {
      table.Pull(keys, Absent::kZeros, numbers.data());
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        const auto it = model.find(keys[i / spec.width()]);
        ASSERT_EQ(numbers[i], it == model.end() ? 0.0F : it->second[i % spec.width()]);
      }
    } else if (action < 5) {
      table.Pull(keys, Absent::kCreate, numbers.data());
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        ASSERT_EQ(numbers[i], RowOf(model, spec, keys[i / spec.width()])[i % spec.width()]);
      }
    } else {
      for (float& gradient : numbers) gradient = static_cast<float>(random.Below(16)) - 8;
      table.Push(keys, numbers.data());
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        std::vector<float>& row = RowOf(model, spec, keys[i / spec.width()]);
        row[i % spec.width()] -= numbers[i];
        row[spec.width() + i % spec.width()] += numbers[i] * numbers[i];
      }
    }
    ASSERT_EQ(table.rows(), model.size());
  }
  ExpectEqual(table.Freeze(), model, "now");
  for (const auto& [copy, then] : frozen) ExpectEqual(copy, then, "frozen");
}

TEST(SlabTableTest, IsAMapWhateverHappens) {
  for (uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    CompareWithMap(seed, seed % 2 == 0 ? 3 : 64);
    if (HasFatalFailure()) return;
  }
}

TEST(SlabTableTest, KeysInSequenceAndKeysOfOneShardAreFound) {
  const SummingOptimizer optimizer;
  SlabTable table(Spec(1), 3, optimizer);
  std::vector<uint64_t> keys;
  for (uint64_t i = 0; i < 20000; ++i) keys.push_back(i);
  for (uint64_t i = 0; i < 256; ++i) keys.push_back(i << 56);
  for (uint64_t i = 0; i < 256; ++i) keys.push_back(~i);
  std::vector<float> created(keys.size() * 2);
  table.Pull(keys, Absent::kCreate, created.data());
  EXPECT_EQ(table.rows(), keys.size() - 1);  // 0 is there twice
  std::vector<float> found(created.size());
  table.Pull(keys, Absent::kZeros, found.data());
  EXPECT_EQ(found, created);
}

TEST(SlabTableTest, PeekingTouchesNothing) {
  const SummingOptimizer optimizer;
  SlabTable table(Spec(2), 3, optimizer);
  const std::vector<uint64_t> keys = {1, 2, 3};
  std::vector<float> rows(9, 1.0F);
  table.Pull(keys, Absent::kZeros, rows.data());
  EXPECT_EQ(rows, std::vector<float>(9, 0.0F));
  EXPECT_EQ(table.rows(), 0U);
}

TEST(SlabTableTest, AFrozenTableOutlivesItsTable) {
  const SummingOptimizer optimizer;
  auto table = std::make_unique<SlabTable>(Spec(2), 3, optimizer);
  const std::vector<uint64_t> keys = {10, 20};
  table->Push(keys, std::vector<float>(6, 1.0F).data());
  const FrozenTable frozen = table->Freeze();
  table->Push(keys, std::vector<float>(6, 100.0F).data());
  table.reset();
  ASSERT_EQ(frozen.rows(), 2U);
  for (uint32_t row = 0; row < 2; ++row) {
    EXPECT_EQ(frozen.floats(row)[2], -1.0F);  // the first-order weight
    EXPECT_EQ(frozen.floats(row)[5], 1.5F);   // its state
  }
}

TEST(SlabTableTest, RowsWiderThanAPageWork) {
  const SummingOptimizer optimizer;
  SlabTable table(Spec(20000), 3, optimizer);
  const std::vector<uint64_t> keys = {1, 2, 1};
  std::vector<float> rows(3 * 20001);
  table.Pull(keys, Absent::kCreate, rows.data());
  EXPECT_TRUE(std::equal(rows.begin(), rows.begin() + 20001, rows.begin() + 2 * 20001));
  EXPECT_FALSE(std::equal(rows.begin(), rows.begin() + 20001, rows.begin() + 20001));
}

TEST(InitialValuesTest, DependOnSeedTableAndKeyAlone) {
  const jobspec::TableSpec spec = Spec(5);
  const auto row = [&spec](uint64_t seed, std::string_view name, uint64_t key) {
    std::vector<float> values(spec.width());
    InitialRow(spec, SeedOfName(seed, name), key, values);
    return values;
  };
  EXPECT_EQ(row(1, "a", 9), row(1, "a", 9));
  EXPECT_NE(row(1, "a", 9), row(2, "a", 9));
  EXPECT_NE(row(1, "a", 9), row(1, "b", 9));
  EXPECT_NE(row(1, "a", 9), row(1, "a", 8));
  EXPECT_EQ(row(1, "a", 9).back(), 0.0F);
}

TEST(InitialValuesTest, AreThoseOfTheWrittenFormula) {
  // Worked out by a program of its own from the text of initial_values.h.
  std::vector<float> values(6);
  InitialRow(Spec(5), SeedOfName(7, "movie"), 42, values);
  const std::vector<float> expected = {-0.0253535563F, -0.0860809447F,  -0.120173739F,
                                       -0.0293083886F, 0.000646068058F, 0};
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_FLOAT_EQ(values[i], expected[i]) << i;
}

TEST(InitialValuesTest, HaveTheAskedMomentsAndAreFinite) {
  const jobspec::TableSpec spec = Spec(8);
  double sum = 0;
  double squares = 0;
  std::vector<float> values(spec.width());
  constexpr int kRows = 20000;
  for (uint64_t key = 0; key < kRows; ++key) {
    InitialRow(spec, SeedOfName(1, spec.name), key, values);
    for (uint32_t i = 0; i < spec.dim; ++i) {
      ASSERT_TRUE(std::isfinite(values[i]));
      sum += values[i];
      squares += double{values[i]} * values[i];
    }
  }
  constexpr double kValues = kRows * 8.0;
  EXPECT_NEAR(sum / kValues, 0, 0.001);
  EXPECT_NEAR(std::sqrt(squares / kValues), 0.1, 0.001);
}

TEST(InitialValuesTest, DenseSegmentsStayWithinTheirLimits) {
  const TestModel model;
  std::vector<float> all(model.plan.dense_values());
  InitialDense(model.plan, 0, all);
  for (std::size_t i = 0; i < 2500; ++i) ASSERT_LE(std::abs(all[i]), 0.25F);
  EXPECT_GT(*std::max_element(all.begin(), all.end()), 0.24F);
  EXPECT_LT(*std::min_element(all.begin(), all.end()), -0.24F);
  for (std::size_t i = 2500; i < 2600; ++i) ASSERT_EQ(all[i], 0.0F);
  // A stretch of it is the same as the stretch of the whole.
  std::vector<float> some(700);
  InitialDense(model.plan, 1900, some);
  EXPECT_TRUE(std::equal(some.begin(), some.end(), all.begin() + 1900));
}

}  // namespace
}  // namespace primus::embedding
