// Where the dense vector's blocks live. Block b holds values [b · kDenseBlock, …) of the plan's
// dense vector and lives in shard ShardOfDenseBlock(b). A ps sends and takes the values of its
// blocks put together in ascending order of b; trainer and ps go by the same functions.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "primus/jobspec/model_plan.h"

namespace primus::embedding {

constexpr uint64_t DenseBlocks(uint64_t dense_values) {
  return (dense_values + jobspec::kDenseBlock - 1) / jobspec::kDenseBlock;
}

// Values of block `block`: kDenseBlock, or what is left for the last one.
constexpr uint64_t DenseBlockSize(uint64_t dense_values, uint64_t block) {
  return std::min(jobspec::kDenseBlock, dense_values - block * jobspec::kDenseBlock);
}

constexpr bool Owns(const jobspec::ShardRange& range, uint32_t shard) {
  return range.first <= shard && shard <= range.last;
}

// The blocks that live in `range`, ascending.
inline std::vector<uint64_t> DenseBlocksOf(uint64_t dense_values,
                                           const jobspec::ShardRange& range) {
  std::vector<uint64_t> blocks;
  for (uint64_t block = 0; block < DenseBlocks(dense_values); ++block) {
    if (Owns(range, jobspec::ShardOfDenseBlock(block))) blocks.push_back(block);
  }
  return blocks;
}

}  // namespace primus::embedding
