// Reads a part file that is in memory, and trusts nothing in it: `Open` checks every magic, size,
// checksum and order before anything is used, so that what a reader yields was written by a
// PartWriter, whole. Any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "primus/base/result.h"
#include "primus/embedding/part_file.h"

namespace primus::embedding {

class PartReader {
 public:
  // `bytes` outlive the reader. kDataLoss: not a whole part; kFailedPrecondition: another version
  // of the format.
  static Result<PartReader> Open(std::string_view bytes);

  const PartHeader& header() const { return header_; }
  // Tables by ordinal, each shard by shard with its keys ascending; then dense blocks ascending.
  std::span<const PartBlock> blocks() const { return blocks_; }

  static uint64_t Key(const PartBlock& block, std::size_t row);
  // Copies the values of one row, `values.size()` of them.
  static void CopyValues(const PartBlock& block, std::size_t row, std::span<float> values);

 private:
  PartReader() = default;

  Status ReadHeader(std::string_view bytes, std::size_t* end);
  Status ReadBlocks(std::string_view bytes, std::size_t begin);
  Result<PartBlock> ReadBlock(std::string_view entry, std::string_view bytes) const;
  Result<PartBlock> SplitBody(PartBlock block, std::string_view body) const;
  Status CheckBlock(const PartBlock& block, const PartBlock* before) const;

  PartHeader header_;
  std::vector<PartBlock> blocks_;
};

}  // namespace primus::embedding
