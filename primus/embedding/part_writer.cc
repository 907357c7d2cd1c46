#include "primus/embedding/part_writer.h"

#include <algorithm>
#include <bit>

#include "primus/base/check.h"
#include "primus/base/crc32c.h"

namespace primus::embedding {
namespace {

static_assert(std::endian::native == std::endian::little, "the format is little-endian");

template <class T>
void Append(std::string* to, T value) {
  to->append(reinterpret_cast<const char*>(&value), sizeof(value));
}

void AppendText(std::string* to, std::string_view text) {
  Append(to, static_cast<uint32_t>(text.size()));
  to->append(text);
}

void AppendFloats(std::string* to, const float* floats, std::size_t count) {
  to->append(reinterpret_cast<const char*>(floats), count * sizeof(float));
}

std::string HeaderBody(const PartHeader& header) {
  std::string body;
  AppendText(&body, header.origin.job);
  Append(&body, header.origin.stamp.attempt);
  Append(&body, header.origin.stamp.view);
  Append(&body, header.origin.stamp.cut);
  Append(&body, jobspec::kShards);
  Append(&body, header.shards.first);
  Append(&body, header.shards.last);
  Append(&body, static_cast<uint32_t>(header.tables.size()));
  for (const PartTable& table : header.tables) {
    AppendText(&body, table.name);
    Append(&body, table.dim);
    Append(&body, table.first_order);
    AppendText(&body, table.optimizer);
    Append(&body, table.state_size);
  }
  Append(&body, header.dense_values);
  Append(&body, static_cast<uint32_t>(jobspec::kDenseBlock));
  AppendText(&body, header.dense_optimizer);
  return body;
}

}  // namespace

PartWriter::PartWriter(PartHeader header, std::size_t bytes_expected) : header_(std::move(header)) {
  file_.reserve(bytes_expected);
  const std::string body = HeaderBody(header_);
  file_.append(kPartMagic);
  Append(&file_, kPartVersion);
  Append(&file_, static_cast<uint32_t>(body.size()));
  file_.append(body);
  Append(&file_, Crc32c(file_));
}

void PartWriter::AddRows(uint32_t table, uint32_t shard, std::span<const PartRow> rows) {
  for (std::size_t first = 0; first < rows.size(); first += kPartBlockRows) {
    const std::size_t count = std::min<std::size_t>(kPartBlockRows, rows.size() - first);
    AddBlockOfRows(table, shard, rows.subspan(first, count));
  }
}

void PartWriter::AddBlockOfRows(uint32_t table, uint32_t shard, std::span<const PartRow> rows) {
  PRIMUS_CHECK(table < header_.tables.size(), "a row belongs to a table of the header");
  const std::size_t width = header_.tables[table].width();
  const std::size_t state = header_.tables[table].state_size;
  const PartBlock block{.kind = PartBlockKind::kRows,
                        .table = table,
                        .shard = shard,
                        .count = static_cast<uint32_t>(rows.size())};
  BeginBlock(block, rows.size() * (sizeof(uint64_t) + (width + state) * sizeof(float)));
  for (const PartRow& row : rows) Append(&file_, row.key);
  for (const PartRow& row : rows) AppendFloats(&file_, row.floats, width);
  for (const PartRow& row : rows) AppendFloats(&file_, row.floats + width, state);
  EndBlock(block);
}

void PartWriter::AddDense(uint64_t number, uint64_t steps, std::span<const float> values,
                          std::span<const float> states) {
  const PartBlock block{.kind = PartBlockKind::kDense,
                        .shard = jobspec::ShardOfDenseBlock(number),
                        .count = static_cast<uint32_t>(values.size()),
                        .number = number,
                        .steps = steps};
  BeginBlock(block, (values.size() + states.size()) * sizeof(float));
  AppendFloats(&file_, values.data(), values.size());
  AppendFloats(&file_, states.data(), states.size());
  EndBlock(block);
}

void PartWriter::BeginBlock(const PartBlock& block, uint64_t body_bytes) {
  block_begin_ = file_.size();
  Append(&file_, static_cast<uint32_t>(block.kind));
  Append(&file_, block.table);
  Append(&file_, block.shard);
  Append(&file_, block.count);
  Append(&file_, block.number);
  Append(&file_, block.steps);
  Append(&file_, body_bytes);
}

void PartWriter::EndBlock(const PartBlock& block) {
  const std::string_view bytes = std::string_view(file_).substr(block_begin_);
  Append(&file_, Crc32c(bytes));
  Append(&index_, uint64_t{block_begin_});
  Append(&index_, uint64_t{file_.size() - block_begin_});
  Append(&index_, static_cast<uint32_t>(block.kind));
  Append(&index_, block.table);
  Append(&index_, block.shard);
  Append(&index_, block.count);
  ++blocks_;
}

std::string PartWriter::Finish() {
  const std::size_t index_offset = file_.size();
  file_.append(index_);
  Append(&file_, uint64_t{index_offset});
  Append(&file_, blocks_);
  Append(&file_, Crc32c(std::string_view(file_).substr(index_offset)));
  file_.append(kPartEndMagic);
  return std::move(file_);
}

}  // namespace primus::embedding
