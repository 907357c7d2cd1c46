// One embedding table on one ps: an index of keys, and rows in pages.
//
// A row is its values and then its optimizer state; its key stands in the page too, so that a
// frozen copy needs pages only. `Freeze` copies page references and no page; the first write to a
// page afterwards copies it while a frozen copy still holds it. Rows are never moved or removed.
// One thread; frozen tables may be read and dropped on any.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "primus/embedding/key_index.h"
#include "primus/embedding/optimizer.h"
#include "primus/embedding/page.h"
#include "primus/embedding/shard_store.h"
#include "primus/jobspec/model_plan.h"

namespace primus::embedding {

// How rows lie in pages: keys first, then the floats of all rows.
struct PageShape {
  uint32_t row_floats = 0;  // values and state
  uint32_t rows_log2 = 0;   // rows of a page

  static PageShape For(uint32_t row_floats);
  uint32_t rows() const { return 1U << rows_log2; }
  std::size_t bytes() const { return rows() * (sizeof(uint64_t) + row_floats * sizeof(float)); }
  std::size_t page_of(uint32_t row) const { return row >> rows_log2; }
  uint32_t slot_of(uint32_t row) const { return row & (rows() - 1); }
  std::size_t floats_offset(uint32_t slot) const {
    return rows() * sizeof(uint64_t) + std::size_t{slot} * row_floats * sizeof(float);
  }
};

// The rows of a table as they were at one instant.
class FrozenTable {
 public:
  FrozenTable(PageShape shape, std::vector<PageRef> pages, uint32_t rows)
      : shape_(shape), pages_(std::move(pages)), rows_(rows) {}
  uint32_t rows() const { return rows_; }
  uint64_t key(uint32_t row) const;
  // Values, then state.
  const float* floats(uint32_t row) const;

 private:
  PageShape shape_;
  std::vector<PageRef> pages_;
  uint32_t rows_;
};

class SlabTable {
 public:
  // `optimizer` outlives the table.
  SlabTable(jobspec::TableSpec spec, uint64_t seed, const Optimizer& optimizer);

  const jobspec::TableSpec& spec() const { return spec_; }
  uint32_t state_size() const { return shape_.row_floats - spec_.width(); }
  uint32_t rows() const { return index_.size(); }
  uint64_t bytes() const;
  // Whether `keys` more rows have numbers.
  bool HasRoomFor(std::size_t keys) const { return keys < KeyIndex::kNoRow - index_.size(); }

  // keys.size() × width values.
  void Pull(std::span<const uint64_t> keys, Absent absent, float* out);
  // Applies keys.size() × width finite gradients in order.
  void Push(std::span<const uint64_t> keys, const float* gradients);
  // Sets rows as they were saved, `values` and `states` row after row.
  void Load(std::span<const uint64_t> keys, const float* values, const float* states);

  FrozenTable Freeze();

 private:
  // A page with what reading and writing it needs at hand.
  struct Slab {
    PageRef page;
    std::byte* data = nullptr;
    uint32_t exclusive_at = 0;  // equal to freezes_: no frozen copy holds the page
  };

  // Fills rows_ for `keys`; makes the absent rows.
  void FindOrMake(std::span<const uint64_t> keys);
  // The floats of a new row, not initialised.
  float* NewRow(uint32_t row, uint64_t key);
  const float* Floats(uint32_t row) const;
  float* WritableFloats(uint32_t row);
  void PrefetchRow(std::size_t i) const;

  const jobspec::TableSpec spec_;
  const uint64_t name_seed_;
  const Optimizer& optimizer_;
  const PageShape shape_;
  KeyIndex index_;
  std::vector<Slab> slabs_;
  uint32_t freezes_ = 1;
  std::vector<uint32_t> rows_;  // of the batch in hand
};

}  // namespace primus::embedding
