#include "primus/batch/minibatch.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "primus/base/seeded.h"

namespace primus::batch {
namespace {

const Layout& TwoKeysOneDense() {
  static const Layout layout{{{"movie", FeatureKind::kKeys},
                              {"price", FeatureKind::kDense},
                              {"genres", FeatureKind::kKeys}}};
  return layout;
}

// Rows whose values say where they come from: key = task * 1000 + position, genres: row % 3 keys.
EncodedRows Rows(TaskId task, uint64_t first, std::size_t count) {
  EncodedRows rows;
  rows.task = task;
  rows.keys.resize(2);
  rows.dense.resize(1);
  rows.keys[0].offsets = {0};
  rows.keys[1].offsets = {0};
  for (std::size_t i = 0; i < count; ++i) {
    const uint64_t position = first + i;
    rows.positions.push_back(position);
    rows.labels.push_back(static_cast<float>(position % 2));
    rows.keys[0].keys.push_back(task * 1000 + position);
    rows.keys[0].offsets.push_back(static_cast<uint32_t>(i + 1));
    for (uint64_t k = 0; k < position % 3; ++k) rows.keys[1].keys.push_back(position * 10 + k);
    rows.keys[1].offsets.push_back(static_cast<uint32_t>(rows.keys[1].keys.size()));
    rows.dense[0].push_back(static_cast<float>(position) * 0.5F);
  }
  return rows;
}

struct alignas(64) Line {
  std::byte bytes[64];
};

class Slot {
 public:
  explicit Slot(std::size_t bytes) : lines_((bytes + 63) / 64), size_(bytes) {}
  std::span<std::byte> bytes() { return {lines_.data()->bytes, size_}; }

 private:
  std::vector<Line> lines_;
  std::size_t size_;
};

TEST(MiniBatch, KeepsRowsOfSeveralTasksInTheirOrder) {
  const EncodedRows a = Rows(1, 0, 10);
  const EncodedRows b = Rows(2, 100, 5);
  const std::vector<RowRange> ranges{{&a, 7, 10}, {&b, 0, 2}};
  const std::vector<Span> spans{{1, RowKind::kTrained, 7, 10},
                                {1, RowKind::kFiltered, 10, 12},
                                {2, RowKind::kTrained, 100, 102}};
  Slot slot(4096);
  auto bytes = WriteMiniBatch(TwoKeysOneDense(), {{Purpose::kProgressive, 3, 1, 42}, ranges, spans},
                              slot.bytes());
  ASSERT_TRUE(bytes.ok()) << bytes.status().ToString();
  EXPECT_EQ(*bytes, MiniBatchBytes(TwoKeysOneDense(), ranges, spans.size()));

  auto view = MiniBatchView::Open(TwoKeysOneDense(), slot.bytes().first(*bytes));
  ASSERT_TRUE(view.ok()) << view.status().ToString();
  EXPECT_EQ(view->info().purpose, Purpose::kProgressive);
  EXPECT_EQ(view->info().phase, 3u);
  EXPECT_EQ(view->info().pass, 1u);
  EXPECT_EQ(view->info().block, 42u);
  ASSERT_EQ(view->rows(), 5u);
  EXPECT_EQ(std::vector<Span>(view->spans().begin(), view->spans().end()), spans);
  const std::vector<uint64_t> positions{7, 8, 9, 100, 101};
  for (std::size_t i = 0; i < 5; ++i) {
    const uint64_t task = i < 3 ? 1 : 2;
    EXPECT_EQ(view->labels()[i], static_cast<float>(positions[i] % 2));
    EXPECT_EQ(view->keys(0)[view->offsets(0)[i]], task * 1000 + positions[i]);
    EXPECT_EQ(view->dense(0)[i], static_cast<float>(positions[i]) * 0.5F);
    const uint32_t first = view->offsets(1)[i];
    ASSERT_EQ(view->offsets(1)[i + 1] - first, positions[i] % 3);
    for (uint32_t k = 0; k < positions[i] % 3; ++k) {
      EXPECT_EQ(view->keys(1)[first + k], positions[i] * 10 + k);
    }
  }
}

TEST(MiniBatch, SectionsAreAlignedForVectorLoads) {
  const EncodedRows a = Rows(1, 0, 7);
  const std::vector<RowRange> ranges{{&a, 0, 7}};
  Slot slot(4096);
  auto bytes = WriteMiniBatch(TwoKeysOneDense(), {{}, ranges, {}}, slot.bytes());
  ASSERT_TRUE(bytes.ok());
  auto view = MiniBatchView::Open(TwoKeysOneDense(), slot.bytes().first(*bytes));
  ASSERT_TRUE(view.ok());
  EXPECT_EQ(reinterpret_cast<uintptr_t>(view->labels().data()) % 64, 0u);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(view->keys(1).data()) % 64, 0u);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(view->dense(0).data()) % 64, 0u);
}

TEST(MiniBatch, MayHaveSpansAndNoRows) {
  const std::vector<Span> spans{{9, RowKind::kExcluded, 0, 50}};
  Slot slot(2048);
  auto bytes = WriteMiniBatch(TwoKeysOneDense(), {{}, {}, spans}, slot.bytes());
  ASSERT_TRUE(bytes.ok());
  auto view = MiniBatchView::Open(TwoKeysOneDense(), slot.bytes().first(*bytes));
  ASSERT_TRUE(view.ok()) << view.status().ToString();
  EXPECT_EQ(view->rows(), 0u);
  ASSERT_EQ(view->spans().size(), 1u);
  EXPECT_EQ(view->spans()[0], spans[0]);
}

TEST(MiniBatch, IsRefusedWhenTheSlotIsTooSmall) {
  const EncodedRows a = Rows(1, 0, 100);
  const std::vector<RowRange> ranges{{&a, 0, 100}};
  const uint64_t needed = MiniBatchBytes(TwoKeysOneDense(), ranges, 0);
  Slot slot(needed - 1);
  auto bytes = WriteMiniBatch(TwoKeysOneDense(), {{}, ranges, {}}, slot.bytes());
  ASSERT_FALSE(bytes.ok());
  EXPECT_EQ(bytes.status().code(), StatusCode::kResourceExhausted);
}

TEST(MiniBatch, OfAnotherLayoutIsRefused) {
  Slot slot(2048);
  auto bytes = WriteMiniBatch(TwoKeysOneDense(), {{}, {}, {}}, slot.bytes());
  ASSERT_TRUE(bytes.ok());
  Layout renamed = TwoKeysOneDense();
  renamed.features[0].name = "film";
  auto view = MiniBatchView::Open(renamed, slot.bytes().first(*bytes));
  ASSERT_FALSE(view.ok());
  EXPECT_EQ(view.status().code(), StatusCode::kDataLoss);
}

TEST(Layout, HashTellsNamesOrderAndKindsApart) {
  const Layout a{{{"ab", FeatureKind::kKeys}, {"c", FeatureKind::kKeys}}};
  const Layout b{{{"a", FeatureKind::kKeys}, {"bc", FeatureKind::kKeys}}};
  const Layout c{{{"c", FeatureKind::kKeys}, {"ab", FeatureKind::kKeys}}};
  const Layout d{{{"ab", FeatureKind::kDense}, {"c", FeatureKind::kKeys}}};
  EXPECT_EQ(Hash(a), Hash(a));
  EXPECT_NE(Hash(a), Hash(b));
  EXPECT_NE(Hash(a), Hash(c));
  EXPECT_NE(Hash(a), Hash(d));
}

}  // namespace
}  // namespace primus::batch
