// The model of a job, resolved: which tables there are, which features fill which of them, and what
// the dense parameters look like. Every role derives the same plan from the same job
// (train::PlanModel), so ordinals can stand for names on the wire.
//
// Only what the network uses is in it. Values.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace primus::config {
class Feature;
}

namespace primus::jobspec {

struct TableSpec {
  std::string name;
  uint32_t dim = 0;
  bool first_order = false;       // one more value a row, at the end, initially 0
  double init_normal_std = 0;     // of the dim values; 0: zeros
  std::string optimizer;          // key in slot tableOptimizers
  std::string optimizer_options;  // its message, serialised

  // Values a row has on the wire: a pull's row and a push's gradient.
  uint32_t width() const { return dim + (first_order ? 1 : 0); }
};

enum class FeatureSource { kCategory, kMultiHot, kDense };
enum class CombinerKind { kSum, kMean };

struct FeatureSpec {
  std::string name;
  FeatureSource source = FeatureSource::kCategory;
  std::vector<std::string> columns;  // one; several for a multi-hot
  uint32_t table = 0;                // ordinal; key features only
  CombinerKind combiner = CombinerKind::kSum;
  bool has_missing = false;  // dense: what null becomes; without it null is an error
  double missing = 0;
};
// All of it but the ordinal of its table.
FeatureSpec FeatureSpecOf(const config::Feature& feature);

// A stretch of the dense parameter vector: uniform in ±uniform_limit at first, 0 gives zeros.
struct DenseSegment {
  std::string name;
  uint64_t size = 0;
  double uniform_limit = 0;
};

struct ModelPlan {
  std::string label_column;  // empty: the network needs none
  std::vector<TableSpec> tables;
  std::vector<FeatureSpec> features;  // key features and dense features keep this order each
  std::vector<DenseSegment> dense;
  std::string dense_optimizer;  // key in slot denseOptimizers
  std::string dense_optimizer_options;
  uint64_t seed = 0;
  int baseline_item = -1;  // ordinal in `features`; -1: no baselines
  int baseline_user = -1;
  uint32_t baseline_table = 0;  // {likes, rows} by feature key; key 0 is the whole set

  uint64_t dense_values() const {
    uint64_t sum = 0;
    for (const DenseSegment& segment : dense) sum += segment.size;
    return sum;
  }
};

// The virtual shards of every job's tables and dense parameters.
inline constexpr uint32_t kShards = 256;

// Shards [first, last] of ps `index` among `count`.
struct ShardRange {
  uint32_t first = 0;
  uint32_t last = 0;
};
constexpr ShardRange ShardsOfPs(uint32_t index, uint32_t count) {
  return {index * kShards / count, (index + 1) * kShards / count - 1};
}
constexpr uint32_t PsOfShard(uint32_t shard, uint32_t count) {
  return ((shard + 1) * count - 1) / kShards;
}
// Keys are hashes already: the top bits choose.
constexpr uint32_t ShardOfKey(uint64_t key) { return static_cast<uint32_t>(key >> 56); }

// The dense vector is cut into blocks of this many values; block b lives in shard b · 101 mod 256.
inline constexpr uint64_t kDenseBlock = 1024;
constexpr uint32_t ShardOfDenseBlock(uint64_t block) {
  return static_cast<uint32_t>(block * 101 % kShards);
}

}  // namespace primus::jobspec
