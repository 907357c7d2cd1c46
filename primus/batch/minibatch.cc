#include "primus/batch/minibatch.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <string>

#include "primus/base/check.h"

namespace primus::batch {
namespace {

static_assert(std::endian::native == std::endian::little, "batches are little endian in memory");

constexpr uint32_t kMagic = 0x31424D50;  // "PMB1"
constexpr uint32_t kVersion = 1;
constexpr uint64_t kAlignment = 64;

struct Header {
  uint32_t magic;
  uint32_t version;
  uint64_t bytes;  // of the whole batch
  uint64_t layout;
  uint64_t block;
  uint32_t rows;
  uint32_t phase;
  uint32_t pass;
  uint32_t purpose;
  uint32_t sections;
  uint32_t zero[3];
};
static_assert(sizeof(Header) == kAlignment);

struct Section {
  uint64_t offset;
  uint64_t bytes;
};

struct WireSpan {
  uint64_t task;
  uint64_t kind;
  uint64_t begin;
  uint64_t end;
};

constexpr uint64_t AlignUp(uint64_t n) { return (n + kAlignment - 1) / kAlignment * kAlignment; }

// Spans and labels, then offsets and keys of a key feature or the values of a dense one.
std::size_t SectionCount(const Layout& layout) {
  std::size_t count = 2;
  for (const FeatureLayout& feature : layout.features) {
    count += feature.kind == FeatureKind::kKeys ? 2 : 1;
  }
  return count;
}

uint64_t FirstSectionOffset(const Layout& layout) {
  return AlignUp(sizeof(Header) + SectionCount(layout) * sizeof(Section));
}

std::size_t RowCount(std::span<const RowRange> ranges) {
  std::size_t rows = 0;
  for (const RowRange& range : ranges) rows += range.end - range.begin;
  return rows;
}

std::size_t KeyCount(std::span<const RowRange> ranges, std::size_t feature) {
  std::size_t keys = 0;
  for (const RowRange& range : ranges) {
    const std::vector<uint32_t>& offsets = range.rows->keys[feature].offsets;
    keys += offsets[range.end] - offsets[range.begin];
  }
  return keys;
}

// The bytes of each section, in order.
template <class Visit>
void ForEachSection(const Layout& layout, std::span<const RowRange> ranges, std::size_t spans,
                    Visit visit) {
  const std::size_t rows = RowCount(ranges);
  visit(spans * sizeof(WireSpan));
  visit(rows * sizeof(float));
  std::size_t key_feature = 0;
  for (const FeatureLayout& feature : layout.features) {
    if (feature.kind == FeatureKind::kDense) {
      visit(rows * sizeof(float));
      continue;
    }
    visit((rows + 1) * sizeof(uint32_t));
    visit(KeyCount(ranges, key_feature++) * sizeof(uint64_t));
  }
}

template <class T>
T* At(std::span<std::byte> slot, uint64_t offset) {
  return reinterpret_cast<T*>(slot.data() + offset);
}

template <class T>
void CopyRange(const std::vector<T>& from, std::size_t begin, std::size_t end, T*& to) {
  to = std::copy(from.data() + begin, from.data() + end, to);
}

void WriteKeys(std::span<const RowRange> ranges, std::size_t feature, uint32_t* offsets,
               uint64_t* keys) {
  uint32_t written = 0;
  *offsets++ = 0;
  for (const RowRange& range : ranges) {
    const KeyColumn& column = range.rows->keys[feature];
    const uint32_t first = column.offsets[range.begin];
    for (std::size_t row = range.begin; row < range.end; ++row) {
      *offsets++ = written + (column.offsets[row + 1] - first);
    }
    const uint32_t last = column.offsets[range.end];
    CopyRange(column.keys, first, last, keys);
    written += last - first;
  }
}

void WriteSpans(std::span<const Span> spans, WireSpan* to) {
  for (const Span& span : spans) {
    *to++ = {.task = span.task,
             .kind = static_cast<uint64_t>(span.kind),
             .begin = span.begin,
             .end = span.end};
  }
}

void WriteColumns(const Layout& layout, std::span<const RowRange> ranges, const Section* sections,
                  std::span<std::byte> slot) {
  float* labels = At<float>(slot, (sections++)->offset);
  for (const RowRange& range : ranges) {
    CopyRange(range.rows->labels, range.begin, range.end, labels);
  }
  std::size_t key_feature = 0;
  std::size_t dense_feature = 0;
  for (const FeatureLayout& feature : layout.features) {
    if (feature.kind == FeatureKind::kKeys) {
      const uint64_t offsets = (sections++)->offset;
      const uint64_t keys = (sections++)->offset;
      WriteKeys(ranges, key_feature++, At<uint32_t>(slot, offsets), At<uint64_t>(slot, keys));
      continue;
    }
    float* values = At<float>(slot, (sections++)->offset);
    for (const RowRange& range : ranges) {
      CopyRange(range.rows->dense[dense_feature], range.begin, range.end, values);
    }
    ++dense_feature;
  }
}

Status Bad(std::string_view what) {
  return DataLossError("not a batch of this job's layout: " + std::string(what));
}

// `count` elements at `section`, when that is exactly what it says and it lies inside.
template <class T>
Result<std::span<const T>> Checked(std::span<const std::byte> bytes, const Section& section,
                                   uint64_t count) {
  if (section.offset % kAlignment != 0) return Bad("a section is not aligned");
  if (section.offset > bytes.size()) return Bad("a section begins outside");
  if (section.bytes > bytes.size() - section.offset) return Bad("a section ends outside");
  if (section.bytes % sizeof(T) != 0) return Bad("a section has a part of an element");
  if (section.bytes / sizeof(T) != count) return Bad("a section has another number of elements");
  return std::span<const T>(reinterpret_cast<const T*>(bytes.data() + section.offset),
                            static_cast<std::size_t>(count));
}

Result<Header> CheckHeader(const Layout& layout, std::span<const std::byte> bytes) {
  const uint64_t address = reinterpret_cast<uintptr_t>(bytes.data());
  if (address % kAlignment != 0) return Bad("its bytes are not aligned");
  if (bytes.size() < FirstSectionOffset(layout)) return Bad("shorter than its header");
  Header header;
  std::memcpy(&header, bytes.data(), sizeof(header));
  if (header.magic != kMagic) return Bad("another magic");
  if (header.version != kVersion) {
    return Bad("format version " + std::to_string(header.version) + ", expected " +
               std::to_string(kVersion));
  }
  if (header.bytes != bytes.size()) return Bad("another size");
  if (header.layout != Hash(layout)) return Bad("another layout");
  if (header.purpose > static_cast<uint32_t>(Purpose::kProgressive)) return Bad("its purpose");
  if (header.sections != SectionCount(layout)) return Bad("another number of sections");
  return header;
}

Result<std::vector<Span>> CheckSpans(std::span<const std::byte> bytes, const Section& section) {
  PRIMUS_ASSIGN(std::span<const WireSpan> from,
                Checked<WireSpan>(bytes, section, section.bytes / sizeof(WireSpan)));
  std::vector<Span> spans;
  spans.reserve(from.size());
  for (const WireSpan& span : from) {
    if (span.kind >= kRowKinds) return Bad("a span of no kind");
    if (span.begin >= span.end) return Bad("an empty span");
    spans.push_back({.task = span.task,
                     .kind = static_cast<RowKind>(span.kind),
                     .begin = span.begin,
                     .end = span.end});
  }
  return spans;
}

}  // namespace

uint64_t MiniBatchBytes(const Layout& layout, std::span<const RowRange> ranges, std::size_t spans) {
  uint64_t bytes = FirstSectionOffset(layout);
  ForEachSection(layout, ranges, spans, [&](uint64_t section) { bytes += AlignUp(section); });
  return bytes;
}

Result<uint64_t> WriteMiniBatch(const Layout& layout, const MiniBatchParts& parts,
                                std::span<std::byte> slot) {
  const auto& [info, ranges, spans] = parts;
  const uint64_t bytes = MiniBatchBytes(layout, ranges, spans.size());
  const std::size_t rows = RowCount(ranges);
  if (bytes > slot.size() || rows > std::numeric_limits<uint32_t>::max()) {
    return ResourceExhaustedError("a batch of " + std::to_string(rows) + " rows takes " +
                                  std::to_string(bytes) + " bytes and the slot has " +
                                  std::to_string(slot.size()));
  }
  const Header header{.magic = kMagic,
                      .version = kVersion,
                      .bytes = bytes,
                      .layout = Hash(layout),
                      .block = info.block,
                      .rows = static_cast<uint32_t>(rows),
                      .phase = info.phase,
                      .pass = info.pass,
                      .purpose = static_cast<uint32_t>(info.purpose),
                      .sections = static_cast<uint32_t>(SectionCount(layout)),
                      .zero = {}};
  std::memcpy(slot.data(), &header, sizeof(header));
  Section* const sections = At<Section>(slot, sizeof(Header));
  Section* next = sections;
  uint64_t offset = FirstSectionOffset(layout);
  ForEachSection(layout, ranges, spans.size(), [&](uint64_t section) {
    *next++ = {.offset = offset, .bytes = section};
    offset += AlignUp(section);
  });
  WriteSpans(spans, At<WireSpan>(slot, sections[0].offset));
  WriteColumns(layout, ranges, sections + 1, slot);
  return bytes;
}

Result<MiniBatchView> MiniBatchView::Open(const Layout& layout, std::span<const std::byte> bytes) {
  PRIMUS_ASSIGN(const Header header, CheckHeader(layout, bytes));
  std::vector<Section> sections(header.sections);
  std::memcpy(sections.data(), bytes.data() + sizeof(Header), sections.size() * sizeof(Section));
  const Section* next = sections.data();

  MiniBatchView view;
  view.info_ = {.purpose = static_cast<Purpose>(header.purpose),
                .phase = header.phase,
                .pass = header.pass,
                .block = header.block};
  PRIMUS_ASSIGN(view.spans_, CheckSpans(bytes, *next++));
  PRIMUS_ASSIGN(view.labels_, Checked<float>(bytes, *next++, header.rows));
  view.columns_.reserve(layout.features.size());
  view.dense_.reserve(layout.features.size());
  for (const FeatureLayout& feature : layout.features) {
    if (feature.kind == FeatureKind::kDense) {
      PRIMUS_ASSIGN(std::span<const float> values, Checked<float>(bytes, *next++, header.rows));
      view.dense_.push_back(values);
      continue;
    }
    Column column;
    PRIMUS_ASSIGN(column.offsets, Checked<uint32_t>(bytes, *next++, uint64_t{header.rows} + 1));
    PRIMUS_ASSIGN(column.keys, Checked<uint64_t>(bytes, *next, next->bytes / sizeof(uint64_t)));
    ++next;
    if (column.offsets.front() != 0 || column.offsets.back() != column.keys.size() ||
        !std::is_sorted(column.offsets.begin(), column.offsets.end())) {
      return Bad("offsets of feature " + feature.name + " that do not ascend to its keys");
    }
    view.columns_.push_back(column);
  }
  return view;
}

}  // namespace primus::batch
