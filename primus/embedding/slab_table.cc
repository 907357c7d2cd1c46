#include "primus/embedding/slab_table.h"

#include <algorithm>
#include <cstring>

#include "primus/embedding/initial_values.h"

namespace primus::embedding {
namespace {

constexpr std::size_t kPageBytes = 64 << 10;
constexpr std::size_t kGroup = 32;         // rows given to the optimizer at once
constexpr std::size_t kAhead = 16;         // rows prefetched before they are read
constexpr std::size_t kLineFloats = 16;    // of a cache line
constexpr std::size_t kPrefetchLines = 4;  // the processor's own prefetcher follows

uint64_t KeyAt(const std::byte* page, uint32_t slot) {
  return reinterpret_cast<const uint64_t*>(page)[slot];
}

}  // namespace

PageShape PageShape::For(uint32_t row_floats) {
  PageShape shape{.row_floats = row_floats, .rows_log2 = 0};
  while (PageShape{row_floats, shape.rows_log2 + 1}.bytes() <= kPageBytes) ++shape.rows_log2;
  return shape;
}

uint64_t FrozenTable::key(uint32_t row) const {
  return KeyAt(pages_[shape_.page_of(row)].data(), shape_.slot_of(row));
}

const float* FrozenTable::floats(uint32_t row) const {
  const std::byte* page = pages_[shape_.page_of(row)].data();
  return reinterpret_cast<const float*>(page + shape_.floats_offset(shape_.slot_of(row)));
}

SlabTable::SlabTable(jobspec::TableSpec spec, uint64_t seed, const Optimizer& optimizer)
    : spec_(std::move(spec)),
      name_seed_(SeedOfName(seed, spec_.name)),
      optimizer_(optimizer),
      shape_(PageShape::For(spec_.width() + optimizer.StateSize(spec_.width()))) {}

uint64_t SlabTable::bytes() const {
  return index_.bytes() + slabs_.size() * (shape_.bytes() + sizeof(Slab));
}

const float* SlabTable::Floats(uint32_t row) const {
  const std::byte* page = slabs_[shape_.page_of(row)].data;
  return reinterpret_cast<const float*>(page + shape_.floats_offset(shape_.slot_of(row)));
}

float* SlabTable::WritableFloats(uint32_t row) {
  Slab& slab = slabs_[shape_.page_of(row)];
  if (slab.exclusive_at != freezes_) {
    slab.data = slab.page.Writable();
    slab.exclusive_at = freezes_;
  }
  return reinterpret_cast<float*>(slab.data + shape_.floats_offset(shape_.slot_of(row)));
}

void SlabTable::PrefetchRow(std::size_t i) const {
  if (i >= rows_.size() || rows_[i] == KeyIndex::kNoRow) return;
  const float* row = Floats(rows_[i]);
  const std::size_t lines = std::min(shape_.row_floats / kLineFloats + 1, kPrefetchLines);
  for (std::size_t line = 0; line < lines; ++line) __builtin_prefetch(row + line * kLineFloats);
}

float* SlabTable::NewRow(uint32_t row, uint64_t key) {
  if (shape_.page_of(row) == slabs_.size()) {
    PageRef page = PageRef::New(shape_.bytes());
    std::byte* data = page.Writable();
    slabs_.push_back(Slab{std::move(page), data, freezes_});
  }
  float* floats = WritableFloats(row);
  std::byte* page = slabs_[shape_.page_of(row)].data;
  reinterpret_cast<uint64_t*>(page)[shape_.slot_of(row)] = key;
  return floats;
}

void SlabTable::FindOrMake(std::span<const uint64_t> keys) {
  uint32_t next = index_.size();
  rows_.resize(keys.size());
  index_.FindOrInsert(keys, rows_);
  for (std::size_t i = 0; next < index_.size(); ++i) {
    if (rows_[i] != next) continue;
    float* floats = NewRow(next, keys[i]);
    InitialRow(spec_, name_seed_, keys[i], {floats, spec_.width()});
    optimizer_.InitialState({floats + spec_.width(), state_size()});
    ++next;
  }
}

void SlabTable::Pull(std::span<const uint64_t> keys, Absent absent, float* out) {
  if (absent == Absent::kCreate) {
    FindOrMake(keys);
  } else {
    rows_.resize(keys.size());
    index_.Find(keys, rows_);
  }
  const std::size_t width = spec_.width();
  for (std::size_t i = 0; i < std::min(kAhead, keys.size()); ++i) PrefetchRow(i);
  for (std::size_t i = 0; i < keys.size(); ++i, out += width) {
    PrefetchRow(i + kAhead);
    if (rows_[i] == KeyIndex::kNoRow) {
      std::fill_n(out, width, 0.0F);
    } else {
      std::memcpy(out, Floats(rows_[i]), width * sizeof(float));
    }
  }
}

void SlabTable::Push(std::span<const uint64_t> keys, const float* gradients) {
  FindOrMake(keys);
  const std::size_t width = spec_.width();
  float* group[kGroup];
  for (std::size_t i = 0; i < std::min(kGroup, keys.size()); ++i) PrefetchRow(i);
  for (std::size_t first = 0; first < keys.size(); first += kGroup) {
    const std::size_t count = std::min(kGroup, keys.size() - first);
    for (std::size_t i = 0; i < count; ++i) {
      PrefetchRow(first + kGroup + i);
      group[i] = WritableFloats(rows_[first + i]);
    }
    optimizer_.Apply(
        {.rows = {group, count}, .gradients = gradients + first * width, .width = spec_.width()});
  }
}

void SlabTable::Load(std::span<const uint64_t> keys, const float* values, const float* states) {
  uint32_t next = index_.size();
  rows_.resize(keys.size());
  index_.FindOrInsert(keys, rows_);
  const std::size_t width = spec_.width();
  for (std::size_t i = 0; i < keys.size(); ++i) {
    float* floats = rows_[i] == next ? NewRow(next++, keys[i]) : WritableFloats(rows_[i]);
    std::memcpy(floats, values + i * width, width * sizeof(float));
    std::memcpy(floats + width, states + i * state_size(), state_size() * sizeof(float));
  }
}

FrozenTable SlabTable::Freeze() {
  std::vector<PageRef> pages;
  pages.reserve(slabs_.size());
  for (std::size_t i = 0; i < slabs_.size(); ++i) {
    slabs_[std::min(i + kAhead, slabs_.size() - 1)].page.PrefetchForCopy();
    pages.push_back(slabs_[i].page);
  }
  ++freezes_;
  return FrozenTable(shape_, std::move(pages), rows());
}

}  // namespace primus::embedding
