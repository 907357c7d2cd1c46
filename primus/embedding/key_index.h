// Key → row number, for one table on one ps: open addressing, one small index per virtual shard.
//
// Slots hold the key itself, so a probe touches one cache line in most cases. A batch is probed in
// groups, each slot prefetched before it is read. Since each shard grows by itself, no insert ever
// moves more than 1/256 of the table. Rows are numbered 0, 1, … in the order of creation. One
// thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace primus::embedding {

class KeyIndex {
 public:
  static constexpr uint32_t kNoRow = 0xFFFFFFFF;

  KeyIndex();

  // rows[i] = the row of keys[i], or kNoRow.
  void Find(std::span<const uint64_t> keys, std::span<uint32_t> rows) const;
  // The same; a key that has no row gets the next number. The caller sees new rows by size().
  // size() + keys.size() must stay below kNoRow.
  void FindOrInsert(std::span<const uint64_t> keys, std::span<uint32_t> rows);

  uint32_t size() const { return size_; }
  uint64_t bytes() const;

 private:
  // 12 bytes: the key in two halves, so that nothing is lost to alignment.
  struct Slot {
    uint32_t low;
    uint32_t high;
    uint32_t row;
  };
  struct Shard {
    std::vector<Slot> slots;  // a power of two
    uint32_t used = 0;
    uint32_t shift = 0;  // 64 − log2(slots)
  };

  static uint64_t Home(const Shard& shard, uint64_t key);
  static uint64_t Locate(const Shard& shard, uint64_t key);
  static void Grow(Shard* shard);
  void Prefetch(std::span<const uint64_t> keys) const;
  uint32_t InsertOne(uint64_t key);

  std::vector<Shard> shards_;
  uint32_t size_ = 0;
};

}  // namespace primus::embedding
