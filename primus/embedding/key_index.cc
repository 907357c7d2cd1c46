#include "primus/embedding/key_index.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "primus/jobspec/model_plan.h"

namespace primus::embedding {
namespace {

constexpr std::size_t kGroup = 32;  // slots in flight: what a core's line fill buffers can use
constexpr std::size_t kFirstSlots = 8;

}  // namespace

KeyIndex::KeyIndex() : shards_(jobspec::kShards) {
  for (Shard& shard : shards_) {
    shard.slots.assign(kFirstSlots, Slot{0, 0, kNoRow});
    shard.shift = 64 - std::countr_zero(kFirstSlots);
  }
}

uint64_t KeyIndex::Home(const Shard& shard, uint64_t key) {
  // The top bits of a product by an odd number: also keys in sequence spread.
  return (key * 0x9E3779B97F4A7C15ULL) >> shard.shift;
}

// The slot of `key`, or the free one where it belongs.
uint64_t KeyIndex::Locate(const Shard& shard, uint64_t key) {
  const uint64_t mask = shard.slots.size() - 1;
  uint64_t at = Home(shard, key);
  while (true) {
    const Slot& slot = shard.slots[at];
    const uint64_t stored = slot.low | uint64_t{slot.high} << 32;
    if (slot.row == kNoRow || stored == key) return at;
    at = (at + 1) & mask;
  }
}

void KeyIndex::Prefetch(std::span<const uint64_t> keys) const {
  for (const uint64_t key : keys) {
    const Shard& shard = shards_[jobspec::ShardOfKey(key)];
    __builtin_prefetch(&shard.slots[Home(shard, key)]);
  }
}

void KeyIndex::Find(std::span<const uint64_t> keys, std::span<uint32_t> rows) const {
  for (std::size_t first = 0; first < keys.size(); first += kGroup) {
    const auto group = keys.subspan(first, std::min(kGroup, keys.size() - first));
    Prefetch(group);
    for (std::size_t i = 0; i < group.size(); ++i) {
      const Shard& shard = shards_[jobspec::ShardOfKey(group[i])];
      rows[first + i] = shard.slots[Locate(shard, group[i])].row;
    }
  }
}

void KeyIndex::FindOrInsert(std::span<const uint64_t> keys, std::span<uint32_t> rows) {
  for (std::size_t first = 0; first < keys.size(); first += kGroup) {
    const auto group = keys.subspan(first, std::min(kGroup, keys.size() - first));
    Prefetch(group);
    for (std::size_t i = 0; i < group.size(); ++i) rows[first + i] = InsertOne(group[i]);
  }
}

uint32_t KeyIndex::InsertOne(uint64_t key) {
  Shard& shard = shards_[jobspec::ShardOfKey(key)];
  Slot* slot = &shard.slots[Locate(shard, key)];
  if (slot->row != kNoRow) return slot->row;
  // At most 3/4 full after the insert.
  if ((shard.used + 1) * 4ULL > shard.slots.size() * 3ULL) {
    Grow(&shard);
    slot = &shard.slots[Locate(shard, key)];
  }
  *slot = Slot{static_cast<uint32_t>(key), static_cast<uint32_t>(key >> 32), size_};
  ++shard.used;
  return size_++;
}

void KeyIndex::Grow(Shard* shard) {
  const std::vector<Slot> former = std::move(shard->slots);
  shard->slots.assign(former.size() * 2, Slot{0, 0, kNoRow});
  --shard->shift;
  for (const Slot& slot : former) {
    if (slot.row == kNoRow) continue;
    shard->slots[Locate(*shard, slot.low | uint64_t{slot.high} << 32)] = slot;
  }
}

uint64_t KeyIndex::bytes() const {
  uint64_t bytes = shards_.size() * sizeof(Shard);
  for (const Shard& shard : shards_) bytes += shard.slots.size() * sizeof(Slot);
  return bytes;
}

}  // namespace primus::embedding
