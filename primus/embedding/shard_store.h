// All parameters of the shards that one ps owns: rows of the embedding tables, and the blocks of
// the dense vector that live in these shards.
//
// The seam between the ps and what holds the numbers: the real one is `SlabStore` (slab_store.h),
// the simulator has a counting map. A store is made empty for a shard range, which means a fresh
// model; `Restore` fills it from part files instead. Loop thread only, except where said; a new
// store may be filled on another thread before it is handed over. Owned by the ps.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "primus/base/ids.h"
#include "primus/base/result.h"
#include "primus/jobspec/model_plan.h"

namespace primus::embedding {

// What a pull does with a key that has no row.
enum class Absent {
  kCreate,  // training: the row is made, with initial values
  kZeros,   // evaluation: zeros, and nothing is touched
};

// Keys of one table (ordinal in the plan), in any order, repeated or not.
struct TableKeys {
  uint32_t table = 0;
  std::span<const uint64_t> keys;
};

// With the gradient of each key: keys.size() × width values.
struct TableGradients {
  uint32_t table = 0;
  std::span<const uint64_t> keys;
  std::span<const float> gradients;
};

// One table among the statistics.
struct TableEntries {
  std::string table;
  uint64_t entries = 0;
};

struct StoreStatistics {
  std::vector<TableEntries> tables;  // in the order of the plan
  uint64_t bytes = 0;                // of memory, without frozen copies
};

// What the head of a part file says about where it comes from.
struct PartOrigin {
  std::string job;
  Stamp stamp;
};

// The parameters as they were at one instant, whatever is pushed afterwards. Any thread may read
// it, also after its store has gone; several may live at once.
class FrozenStore {
 public:
  virtual ~FrozenStore() = default;
  // The whole part file (docs/formats/part.md). Heavy: for a thread pool.
  virtual std::string EncodePart(const PartOrigin& origin) const = 0;
};

// Yields the bytes of one part file after the other, then nothing.
using PartSource = std::function<Result<std::optional<std::string>>()>;

class ShardStore {
 public:
  virtual ~ShardStore() = default;

  // The blocks of the dense vector that live here, put together in ascending order
  // (dense_layout.h): how many values they have.
  virtual uint64_t dense_size() const = 0;

  // Writes the rows of all keys, table after table, in the order of the keys; `out` has room for
  // exactly those. kInvalidArgument, and nothing touched, for an unknown table, a key of another
  // shard range or another size of `out`.
  virtual Status Pull(std::span<const TableKeys> tables, Absent absent, std::span<float> out) = 0;
  // dense_size() floats.
  virtual void PullDense(std::span<float> out) const = 0;

  // Applies one step: every gradient in the given order, so that a key given twice takes two
  // updates; then `dense`, which is empty or has dense_size() values. A key without a row gets one
  // first. All or nothing: kInvalidArgument, and nothing touched, as in Pull, for a wrong size and
  // for a value that is not finite (table and key are named).
  virtual Status Push(std::span<const TableGradients> tables, std::span<const float> dense) = 0;

  // Takes time in the order of the pages, not of the rows: a few milliseconds at most.
  virtual std::shared_ptr<const FrozenStore> Freeze() = 0;

  // Replaces everything by what the parts hold for the own shards. Each own shard must be in
  // exactly one part. After an error the store must not be used. kDataLoss: damaged, missing or
  // doubled parts; kFailedPrecondition: another model (both sides are named).
  virtual Status Restore(const PartSource& next_part) = 0;

  virtual StoreStatistics Statistics() const = 0;
};

// Makes an empty store: the fresh model of its shards.
using ShardStoreMaker = std::function<Result<std::unique_ptr<ShardStore>>()>;

}  // namespace primus::embedding
