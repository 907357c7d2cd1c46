#include "primus/batch/interval_set.h"

#include <gtest/gtest.h>

#include <set>

#include "primus/base/seeded.h"
#include "primus/batch/coverage.h"

namespace primus::batch {
namespace {

TEST(IntervalSet, MergesNeighboursAndCountsWhatIsNew) {
  IntervalSet set;
  EXPECT_EQ(set.Add(10, 20), 10U);
  EXPECT_EQ(set.Add(20, 30), 10U);
  EXPECT_EQ(set.Add(5, 12), 5U);
  EXPECT_EQ(set.Add(7, 9), 0U);
  EXPECT_EQ(set, IntervalSet::Of(5, 30));
  EXPECT_EQ(set.Missing(0, 40).size(), 15U);
  EXPECT_FALSE(set.Intersects(30, 31));
  EXPECT_TRUE(set.Intersects(0, 6));
}

TEST(IntervalSet, AgreesWithASetOfNumbers) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    SeededSequence random(seed);
    IntervalSet set;
    std::set<uint64_t> model;
    for (int step = 0; step < 40; ++step) {
      const uint64_t begin = random.Below(100);
      const uint64_t end = begin + random.Below(12);
      bool intersects = false;
      uint64_t added = 0;
      for (uint64_t i = begin; i < end; ++i) intersects |= model.contains(i);
      EXPECT_EQ(set.Intersects(begin, end), intersects);
      EXPECT_EQ(set.Missing(begin, end).size(),
                end - begin -
                    static_cast<uint64_t>(
                        std::distance(model.lower_bound(begin), model.lower_bound(end))));
      for (uint64_t i = begin; i < end; ++i) added += model.insert(i).second ? 1 : 0;
      EXPECT_EQ(set.Add(begin, end), added);
      EXPECT_EQ(set.size(), model.size());
    }
    for (uint64_t i = 0; i < 120; ++i) EXPECT_EQ(set.Contains(i), model.contains(i));
    for (std::size_t i = 1; i < set.intervals().size(); ++i) {
      EXPECT_GT(set.intervals()[i].begin, set.intervals()[i - 1].end);
    }
  }
}

TEST(Coverage, CompactJoinsAdjacentSpansOfOneKind) {
  std::vector<Span> spans = {{1, RowKind::kTrained, 5, 6},
                             {1, RowKind::kTrained, 3, 5},
                             {1, RowKind::kFiltered, 6, 7},
                             {2, RowKind::kTrained, 6, 7}};
  Compact(spans);
  EXPECT_EQ(spans, (std::vector<Span>{{1, RowKind::kTrained, 3, 6},
                                      {1, RowKind::kFiltered, 6, 7},
                                      {2, RowKind::kTrained, 6, 7}}));
  std::vector<Span> none;
  Compact(none);
  EXPECT_TRUE(none.empty());
}

}  // namespace
}  // namespace primus::batch
