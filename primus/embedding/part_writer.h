// Builds a part file in memory. Blocks are added in the order of the format: tables by ordinal,
// each shard by shard with its keys ascending, then dense blocks ascending. One thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "primus/embedding/part_file.h"

namespace primus::embedding {

// A row to be saved: its values and then its state at `floats`.
struct PartRow {
  uint64_t key = 0;
  const float* floats = nullptr;
};

class PartWriter {
 public:
  // `bytes_expected` is a hint for the memory.
  PartWriter(PartHeader header, std::size_t bytes_expected);

  // Rows of one shard of one table, keys ascending, no key twice.
  void AddRows(uint32_t table, uint32_t shard, std::span<const PartRow> rows);
  void AddDense(uint64_t number, uint64_t steps, std::span<const float> values,
                std::span<const float> states);
  // The file. The writer is spent.
  std::string Finish();

 private:
  void AddBlockOfRows(uint32_t table, uint32_t shard, std::span<const PartRow> rows);
  void BeginBlock(const PartBlock& block, uint64_t body_bytes);
  void EndBlock(const PartBlock& block);

  PartHeader header_;
  std::string file_;
  std::string index_;
  uint64_t blocks_ = 0;
  std::size_t block_begin_ = 0;
};

}  // namespace primus::embedding
