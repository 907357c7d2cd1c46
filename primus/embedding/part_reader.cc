#include "primus/embedding/part_reader.h"

#include <bit>
#include <cstring>
#include <string>
#include <tuple>

#include "primus/base/crc32c.h"
#include "primus/embedding/dense_layout.h"

namespace primus::embedding {
namespace {

constexpr std::size_t kPreamble = 16;  // magic, version, length of the header
constexpr std::size_t kCrc = sizeof(uint32_t);
constexpr uint64_t kDenseValuesMax = uint64_t{1} << 48;

// Takes numbers and texts from the front of bytes; after a failure everything is zero.
class Cursor {
 public:
  explicit Cursor(std::string_view bytes) : bytes_(bytes) {}

  template <class T>
  T Take() {
    T value{};
    const std::string_view raw = TakeBytes(sizeof(T));
    if (ok_) std::memcpy(&value, raw.data(), sizeof(T));
    return value;
  }
  std::string_view TakeBytes(uint64_t size) {
    if (!ok_ || size > bytes_.size()) {
      ok_ = false;
      return {};
    }
    const std::string_view taken = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return taken;
  }
  std::string TakeText() { return std::string(TakeBytes(Take<uint32_t>())); }
  std::size_t left() const { return bytes_.size(); }
  bool ok() const { return ok_; }
  bool done() const { return ok_ && bytes_.empty(); }

 private:
  std::string_view bytes_;
  bool ok_ = true;
};

Status Damaged(std::string_view what) {
  return DataLossError("damaged part file: " + std::string(what));
}

// Whether the checksum at the end of `bytes` is that of what stands before it.
bool ChecksumHolds(std::string_view bytes) {
  uint32_t stored = 0;
  std::memcpy(&stored, bytes.data() + bytes.size() - kCrc, kCrc);
  return stored == Crc32c(bytes.substr(0, bytes.size() - kCrc));
}

PartTable TakeTable(Cursor* cursor) {
  PartTable table;
  table.name = cursor->TakeText();
  table.dim = cursor->Take<uint32_t>();
  table.first_order = cursor->Take<uint32_t>();
  table.optimizer = cursor->TakeText();
  table.state_size = cursor->Take<uint32_t>();
  return table;
}

}  // namespace

Result<PartReader> PartReader::Open(std::string_view bytes) {
  PartReader reader;
  std::size_t header_end = 0;
  PRIMUS_TRY(reader.ReadHeader(bytes, &header_end));
  PRIMUS_TRY(reader.ReadBlocks(bytes, header_end));
  return reader;
}

Status PartReader::ReadHeader(std::string_view bytes, std::size_t* end) {
  Cursor preamble(bytes);
  if (preamble.TakeBytes(kPartMagic.size()) != kPartMagic) return Damaged("no part file at all");
  const auto version = preamble.Take<uint32_t>();
  const auto size = preamble.Take<uint32_t>();
  if (preamble.ok() && version != kPartVersion) {
    return FailedPreconditionError("part file has format version " + std::to_string(version) +
                                   ", this build reads version " + std::to_string(kPartVersion));
  }
  const std::string_view body = preamble.TakeBytes(size);
  preamble.TakeBytes(kCrc);
  if (!preamble.ok()) return Damaged("it ends within its header");
  *end = kPreamble + size + kCrc;
  if (!ChecksumHolds(bytes.substr(0, *end))) return Damaged("checksum of its header");

  Cursor cursor(body);
  header_.origin.job = cursor.TakeText();
  header_.origin.stamp.attempt = cursor.Take<uint64_t>();
  header_.origin.stamp.view = cursor.Take<uint64_t>();
  header_.origin.stamp.cut = cursor.Take<uint64_t>();
  const auto shards = cursor.Take<uint32_t>();
  header_.shards.first = cursor.Take<uint32_t>();
  header_.shards.last = cursor.Take<uint32_t>();
  const auto tables = cursor.Take<uint32_t>();
  for (uint32_t i = 0; i < tables && cursor.ok(); ++i) header_.tables.push_back(TakeTable(&cursor));
  header_.dense_values = cursor.Take<uint64_t>();
  const auto dense_block = cursor.Take<uint32_t>();
  header_.dense_optimizer = cursor.TakeText();
  if (!cursor.done()) return Damaged("its header has another length");
  if (shards != jobspec::kShards || dense_block != jobspec::kDenseBlock) {
    return FailedPreconditionError("part file has " + std::to_string(shards) + " shards and " +
                                   std::to_string(dense_block) + " dense values a block");
  }
  if (header_.shards.first > header_.shards.last || header_.shards.last >= jobspec::kShards) {
    return Damaged("range of its shards");
  }
  for (const PartTable& table : header_.tables) {
    if (table.first_order > 1) return Damaged("widths of its tables");
  }
  return OkStatus();
}

Status PartReader::ReadBlocks(std::string_view bytes, std::size_t begin) {
  if (bytes.size() < begin + kPartTrailer) return Damaged("it ends before its trailer");
  Cursor trailer(bytes.substr(bytes.size() - kPartTrailer));
  const auto index_offset = trailer.Take<uint64_t>();
  const auto count = trailer.Take<uint64_t>();
  trailer.TakeBytes(kCrc);
  if (trailer.TakeBytes(kPartEndMagic.size()) != kPartEndMagic) return Damaged("no end mark");
  const std::size_t trailer_offset = bytes.size() - kPartTrailer;
  if (index_offset < begin || index_offset > trailer_offset ||
      count != (trailer_offset - index_offset) / kPartIndexEntry ||
      (trailer_offset - index_offset) % kPartIndexEntry != 0) {
    return Damaged("place of its index");
  }
  const std::size_t checked = bytes.size() - kPartEndMagic.size() - index_offset;
  if (!ChecksumHolds(bytes.substr(index_offset, checked))) return Damaged("checksum of its index");

  // Every shard has a block in kShards; so what is counted below is bounded by the file's size.
  if (header_.dense_values > kDenseValuesMax ||
      DenseBlocks(header_.dense_values) / jobspec::kShards > count) {
    return Damaged("number of dense values");
  }
  blocks_.reserve(count);
  std::size_t expected = begin;
  uint64_t dense_blocks = 0;
  for (uint64_t i = 0; i < count; ++i) {
    const std::string_view entry =
        bytes.substr(index_offset + i * kPartIndexEntry, kPartIndexEntry);
    Cursor cursor(entry);
    const auto offset = cursor.Take<uint64_t>();
    const auto size = cursor.Take<uint64_t>();
    if (offset != expected || size > index_offset - offset) return Damaged("place of a block");
    expected += size;
    PRIMUS_ASSIGN(PartBlock block, ReadBlock(entry, bytes.substr(offset, size)));
    PRIMUS_TRY(CheckBlock(block, blocks_.empty() ? nullptr : &blocks_.back()));
    dense_blocks += block.kind == PartBlockKind::kDense ? 1 : 0;
    blocks_.push_back(block);
  }
  if (expected != index_offset) return Damaged("bytes between blocks and index");
  if (dense_blocks != DenseBlocksOf(header_.dense_values, header_.shards).size()) {
    return Damaged("number of dense blocks");
  }
  return OkStatus();
}

Result<PartBlock> PartReader::ReadBlock(std::string_view entry, std::string_view bytes) const {
  if (bytes.size() < kPartBlockHead + kCrc) return Damaged("a block is too short");
  if (!ChecksumHolds(bytes)) return Damaged("checksum of a block");
  // The four numbers that the index repeats.
  if (entry.substr(16) != bytes.substr(0, 16)) return Damaged("a block differs from the index");
  Cursor cursor(bytes);
  PartBlock block;
  block.kind = static_cast<PartBlockKind>(cursor.Take<uint32_t>());
  block.table = cursor.Take<uint32_t>();
  block.shard = cursor.Take<uint32_t>();
  block.count = cursor.Take<uint32_t>();
  block.number = cursor.Take<uint64_t>();
  block.steps = cursor.Take<uint64_t>();
  const auto body_bytes = cursor.Take<uint64_t>();
  if (body_bytes != bytes.size() - kPartBlockHead - kCrc) return Damaged("length of a block");
  return SplitBody(block, bytes.substr(kPartBlockHead, body_bytes));
}

Result<PartBlock> PartReader::SplitBody(PartBlock block, std::string_view body) const {
  if (!Owns(header_.shards, block.shard)) return Damaged("a block of another shard");
  Cursor cursor(body);
  const uint64_t count = block.count;
  if (block.kind == PartBlockKind::kDense) {
    block.values = cursor.TakeBytes(count * sizeof(float));
    block.states = cursor.TakeBytes(cursor.left());
    if (!cursor.done() || block.states.size() % sizeof(float) != 0) {
      return Damaged("size of a dense block");
    }
    return block;
  }
  if (block.kind != PartBlockKind::kRows) return Damaged("a block of an unknown kind");
  if (block.table >= header_.tables.size()) return Damaged("a block of an unknown table");
  const PartTable& table = header_.tables[block.table];
  if (count == 0 || count > kPartBlockRows) return Damaged("number of rows of a block");
  // No product overflows: count is at most 4096, sizes are 32 bits.
  block.keys = cursor.TakeBytes(count * sizeof(uint64_t));
  block.values = cursor.TakeBytes(count * table.width() * sizeof(float));
  block.states = cursor.TakeBytes(count * table.state_size * sizeof(float));
  if (!cursor.done()) return Damaged("size of a block of rows");
  return block;
}

Status PartReader::CheckBlock(const PartBlock& block, const PartBlock* before) const {
  const auto order = [](const PartBlock& b) { return std::tuple(b.kind, b.table, b.number); };
  if (before != nullptr && order(block) < order(*before)) return Damaged("order of its blocks");
  if (block.kind == PartBlockKind::kDense) {
    if (before != nullptr && before->kind == block.kind && before->number == block.number) {
      return Damaged("a dense block is there twice");
    }
    if (block.number >= DenseBlocks(header_.dense_values) ||
        block.count != DenseBlockSize(header_.dense_values, block.number) ||
        block.shard != jobspec::ShardOfDenseBlock(block.number)) {
      return Damaged("number or size of a dense block");
    }
    return OkStatus();
  }
  const bool continues =
      before != nullptr && before->kind == block.kind && before->table == block.table;
  bool ordered = !continues || Key(*before, before->count - 1) < Key(block, 0);
  for (std::size_t row = 0; row < block.count; ++row) {
    ordered = ordered && (row == 0 || Key(block, row - 1) < Key(block, row));
    if (jobspec::ShardOfKey(Key(block, row)) != block.shard) return Damaged("shard of a key");
  }
  return ordered ? OkStatus() : Damaged("order of its keys");
}

uint64_t PartReader::Key(const PartBlock& block, std::size_t row) {
  uint64_t key = 0;
  std::memcpy(&key, block.keys.data() + row * sizeof(key), sizeof(key));
  return key;
}

void PartReader::CopyValues(const PartBlock& block, std::size_t row, std::span<float> values) {
  std::memcpy(values.data(), block.values.data() + row * values.size_bytes(), values.size_bytes());
}

}  // namespace primus::embedding
