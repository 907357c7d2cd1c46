// The words of a part file, docs/formats/part.md, shared by its writer and its reader.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "primus/embedding/shard_store.h"
#include "primus/jobspec/model_plan.h"

namespace primus::embedding {

inline constexpr std::string_view kPartMagic = "PRIMPART";
inline constexpr std::string_view kPartEndMagic = "PRIMPEND";
inline constexpr uint32_t kPartVersion = 1;
inline constexpr uint32_t kPartBlockRows = 4096;  // at most
inline constexpr std::size_t kPartBlockHead = 40;
inline constexpr std::size_t kPartIndexEntry = 32;
inline constexpr std::size_t kPartTrailer = 28;

enum class PartBlockKind : uint32_t { kRows = 1, kDense = 2 };

struct PartTable {
  std::string name;
  uint32_t dim = 0;
  uint32_t first_order = 0;  // 0 or 1
  std::string optimizer;
  uint32_t state_size = 0;  // floats a row

  uint32_t width() const { return dim + first_order; }
};

struct PartHeader {
  PartOrigin origin;
  jobspec::ShardRange shards;
  std::vector<PartTable> tables;
  uint64_t dense_values = 0;  // of the whole vector
  std::string dense_optimizer;
};

// A block as it lies in the file. The bytes belong to the file's.
struct PartBlock {
  PartBlockKind kind = PartBlockKind::kRows;
  uint32_t table = 0;
  uint32_t shard = 0;
  uint32_t count = 0;   // rows, or dense values
  uint64_t number = 0;  // of a dense block
  uint64_t steps = 0;   // of a dense block
  std::string_view keys = {};
  std::string_view values = {};
  std::string_view states = {};
};

}  // namespace primus::embedding
