// Initial values: functions of (seed, name, key or position) alone, so that they do not depend on
// who made a row, when, or on which ps.
//
//   Fnv(s)     FNV-1a, 64 bits, over the bytes of s
//   Mix, Unit  Mix64 and ToUnit of primus/base/seeded.h
//
// Table row: t = Mix(Mix(seed) ^ Fnv(table name)). Values 2j and 2j+1 of key k come from
//   u = 1 − Unit(Mix(t, k, 2j)), v = Unit(Mix(t, k, 2j+1)), r = sqrt(−2 ln u)
//   z(2j) = r cos 2πv, z(2j+1) = r sin 2πv                       (Box and Muller 1958)
// and are std · z as float. The first-order weight is 0.
//
// Dense segment: s = Mix(Mix(seed) ^ Fnv(segment name)); value i of the segment is
// limit · (2 Unit(Mix(s, i)) − 1) as float.
//
// Any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "primus/jobspec/model_plan.h"

namespace primus::embedding {

uint64_t SeedOfName(uint64_t seed, std::string_view name);

// Writes table.width() values.
void InitialRow(const jobspec::TableSpec& table, uint64_t name_seed, uint64_t key,
                std::span<float> values);

// Values [first, first + values.size()) of the plan's dense vector.
void InitialDense(const jobspec::ModelPlan& plan, uint64_t first, std::span<float> values);

}  // namespace primus::embedding
