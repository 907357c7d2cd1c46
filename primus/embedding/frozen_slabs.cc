#include "primus/embedding/frozen_slabs.h"

#include <algorithm>

namespace primus::embedding {
namespace {

void EncodeTable(uint32_t ordinal, const FrozenTable& table, PartWriter* writer) {
  std::vector<PartRow> rows(table.rows());
  for (uint32_t row = 0; row < table.rows(); ++row) {
    rows[row] = {.key = table.key(row), .floats = table.floats(row)};
  }
  std::sort(rows.begin(), rows.end(),
            [](const PartRow& a, const PartRow& b) { return a.key < b.key; });
  // Keys in order are shards in order.
  for (auto first = rows.begin(); first != rows.end();) {
    const uint32_t shard = jobspec::ShardOfKey(first->key);
    const auto last = std::find_if(first, rows.end(), [shard](const PartRow& row) {
      return jobspec::ShardOfKey(row.key) != shard;
    });
    writer->AddRows(ordinal, shard, {first, last});
    first = last;
  }
}

}  // namespace

std::size_t FrozenSlabs::BytesExpected() const {
  std::size_t bytes = 64 << 10;
  for (std::size_t i = 0; i < tables_.size(); ++i) {
    const PartTable& table = header_.tables[i];
    const std::size_t row = sizeof(uint64_t) + (table.width() + table.state_size) * sizeof(float);
    bytes += tables_[i].rows() * row;
  }
  for (const DenseBlock& block : dense_) bytes += block.page.bytes();
  return bytes + bytes / 64;
}

std::string FrozenSlabs::EncodePart(const PartOrigin& origin) const {
  PartHeader header = header_;
  header.origin = origin;
  PartWriter writer(std::move(header), BytesExpected());
  for (uint32_t i = 0; i < tables_.size(); ++i) EncodeTable(i, tables_[i], &writer);
  for (const DenseBlock& block : dense_) {
    const std::size_t state = block.page.bytes() / sizeof(float) - block.size;
    writer.AddDense(block.number, block.steps, {block.floats(), block.size},
                    {block.floats() + block.size, state});
  }
  return writer.Finish();
}

}  // namespace primus::embedding
