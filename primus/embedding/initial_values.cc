#include "primus/embedding/initial_values.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "primus/base/seeded.h"

namespace primus::embedding {
namespace {

uint64_t Fnv(std::string_view text) {
  uint64_t hash = 0xCBF29CE484222325ULL;
  for (const char c : text) hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001B3ULL;
  return hash;
}

}  // namespace

uint64_t SeedOfName(uint64_t seed, std::string_view name) { return Mix64(seed, Fnv(name)); }

void InitialRow(const jobspec::TableSpec& table, uint64_t name_seed, uint64_t key,
                std::span<float> values) {
  std::fill(values.begin(), values.end(), 0.0F);
  if (table.init_normal_std == 0) return;
  for (uint32_t i = 0; i < table.dim; i += 2) {
    const double u = 1.0 - ToUnit(Mix64(name_seed, key, i));
    const double angle = 2.0 * std::numbers::pi * ToUnit(Mix64(name_seed, key, i + 1));
    const double radius = table.init_normal_std * std::sqrt(-2.0 * std::log(u));
    values[i] = static_cast<float>(radius * std::cos(angle));
    if (i + 1 < table.dim) values[i + 1] = static_cast<float>(radius * std::sin(angle));
  }
}

void InitialDense(const jobspec::ModelPlan& plan, uint64_t first, std::span<float> values) {
  const uint64_t last = first + values.size();
  uint64_t segment_first = 0;
  for (const jobspec::DenseSegment& segment : plan.dense) {
    const uint64_t segment_last = segment_first + segment.size;
    const uint64_t name_seed = SeedOfName(plan.seed, segment.name);
    const uint64_t end = std::min(last, segment_last);
    for (uint64_t i = std::max(first, segment_first); i < end; ++i) {
      const double unit = ToUnit(Mix64(name_seed, i - segment_first));
      values[i - first] = static_cast<float>(segment.uniform_limit * (2.0 * unit - 1.0));
    }
    segment_first = segment_last;
  }
}

}  // namespace primus::embedding
