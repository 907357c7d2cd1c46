// Hostile bytes in a slot: whatever is in it, Open either refuses or gives a view whose every
// element may be read (AddressSanitizer checks that in the asan build).
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "primus/base/seeded.h"
#include "primus/batch/minibatch.h"

namespace primus::batch {
namespace {

struct alignas(64) Line {
  std::byte bytes[64];
};

Layout SmallLayout() {
  return {{{"a", FeatureKind::kKeys}, {"b", FeatureKind::kDense}, {"c", FeatureKind::kKeys}}};
}

std::vector<Line> ValidBatch(uint64_t* bytes) {
  EncodedRows rows;
  rows.task = 5;
  rows.keys.resize(2);
  rows.dense.resize(1);
  for (KeyColumn& column : rows.keys) column.offsets = {0};
  for (uint32_t i = 0; i < 9; ++i) {
    rows.positions.push_back(i);
    rows.labels.push_back(1);
    rows.dense[0].push_back(2);
    for (KeyColumn& column : rows.keys) {
      column.keys.push_back(i);
      column.offsets.push_back(i + 1);
    }
  }
  const std::vector<RowRange> ranges{{&rows, 0, 9}};
  const std::vector<Span> spans{{5, RowKind::kTrained, 0, 9}};
  *bytes = MiniBatchBytes(SmallLayout(), ranges, spans.size());
  std::vector<Line> lines(*bytes / sizeof(Line));
  const std::span<std::byte> slot(lines.data()->bytes, *bytes);
  EXPECT_TRUE(WriteMiniBatch(SmallLayout(), {{}, ranges, spans}, slot).ok());
  return lines;
}

// Reads all that a view offers, by the offsets it gives.
double ReadAll(const MiniBatchView& view) {
  double sum = 0;
  for (float label : view.labels()) sum += static_cast<double>(label);
  for (float value : view.dense(0)) sum += static_cast<double>(value);
  for (std::size_t feature = 0; feature < 2; ++feature) {
    for (std::size_t row = 0; row < view.rows(); ++row) {
      for (uint32_t k = view.offsets(feature)[row]; k < view.offsets(feature)[row + 1]; ++k) {
        sum += static_cast<double>(view.keys(feature)[k]);
      }
    }
  }
  for (const Span& span : view.spans()) {
    EXPECT_LT(span.begin, span.end);
    EXPECT_LT(static_cast<std::size_t>(span.kind), kRowKinds);
  }
  return sum;
}

// One of: a random byte, a random u32 or u64 of an interesting value, a swap of two words.
void Mutate(std::span<std::byte> bytes, SeededSequence& random) {
  static constexpr uint64_t kInteresting[] = {
      0, 1, 63, 64, 0x7FFFFFFF, 0xFFFFFFFF, ~uint64_t{0}, uint64_t{1} << 63};
  const std::size_t at = random.Below(bytes.size() / 8) * 8;
  switch (random.Below(4)) {
    case 0:
      bytes[random.Below(bytes.size())] = static_cast<std::byte>(random.Below(256));
      break;
    case 1:
      std::memcpy(bytes.data() + at, &kInteresting[random.Below(8)], 8);
      break;
    case 2:
      std::memcpy(bytes.data() + at + random.Below(2) * 4, &kInteresting[random.Below(8)], 4);
      break;
    default: {
      uint64_t value = 0;
      std::memcpy(&value, bytes.data() + at, 8);
      value += random.Below(2) == 0 ? uint64_t{1} : ~uint64_t{0};
      std::memcpy(bytes.data() + at, &value, 8);
    }
  }
}

TEST(MiniBatchFuzz, MutatedBytesAreRefusedOrReadable) {
  const Layout layout = SmallLayout();
  uint64_t size = 0;
  const std::vector<Line> valid = ValidBatch(&size);
  SeededSequence random(20260131);
  int refused = 0;
  for (int round = 0; round < 200000; ++round) {
    std::vector<Line> lines = valid;
    const std::span<std::byte> bytes(lines.data()->bytes, size);
    for (uint64_t n = random.Below(3) + 1; n > 0; --n) Mutate(bytes, random);
    auto view = MiniBatchView::Open(layout, bytes);
    if (view.ok()) {
      ReadAll(*view);
    } else {
      EXPECT_EQ(view.status().code(), StatusCode::kDataLoss);
      ++refused;
    }
  }
  EXPECT_GT(refused, 10000);
}

TEST(MiniBatchFuzz, EveryTruncationIsRefused) {
  const Layout layout = SmallLayout();
  uint64_t size = 0;
  const std::vector<Line> valid = ValidBatch(&size);
  for (uint64_t cut = 0; cut < size; ++cut) {
    // A copy of exactly this size, so that a read behind it is found.
    std::vector<Line> lines((cut + 63) / 64 + 1);
    std::memcpy(lines.data(), valid.data(), cut);
    auto view = MiniBatchView::Open(layout, {lines.data()->bytes, cut});
    EXPECT_FALSE(view.ok()) << cut;
  }
}

}  // namespace
}  // namespace primus::batch
