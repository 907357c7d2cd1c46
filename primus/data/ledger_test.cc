#include "primus/data/ledger.h"

#include <gtest/gtest.h>

#include "primus/base/seeded.h"

namespace primus::data {
namespace {

using batch::RowKind;
using batch::Span;

TaskPlan Task(uint64_t rows) {
  return {.id = 0, .stream = "s", .window = "1997-09-20", .rows = rows, .splits = {}};
}

TEST(Ledger, LeasesInOrderAndCompletesByCoverage) {
  Ledger ledger(1);
  ASSERT_TRUE(ledger.Add(Task(10)).ok());
  ASSERT_TRUE(ledger.Add(Task(5)).ok());
  ledger.EndOfTasks();
  const auto first = ledger.Grant(7);
  const auto second = ledger.Grant(8);
  ASSERT_TRUE(first && second);
  EXPECT_LT(first->task.id, second->task.id);
  EXPECT_LT(first->generation, second->generation);
  EXPECT_FALSE(ledger.Grant(9));
  EXPECT_TRUE(ledger
                  .Record(std::vector<Span>{{first->task.id, RowKind::kTrained, 0, 6},
                                            {second->task.id, RowKind::kTrained, 0, 5}})
                  .ok());
  EXPECT_EQ(ledger.Counts().in_flight, 4U);
  EXPECT_TRUE(CheckBalance(ledger.Counts()).ok());
  EXPECT_TRUE(ledger.Record(std::vector<Span>{{first->task.id, RowKind::kExcluded, 6, 10}}).ok());
  EXPECT_TRUE(ledger.PhaseComplete());
  EXPECT_EQ(ledger.Counts().read, 11U);
  EXPECT_TRUE(CheckBalance(ledger.Counts()).ok());
}

TEST(Ledger, RefusesARowTwice) {
  Ledger ledger(1);
  ASSERT_TRUE(ledger.Add(Task(10)).ok());
  const TaskId id = ledger.Grant(7)->task.id;
  ASSERT_TRUE(ledger.Record(std::vector<Span>{{id, RowKind::kTrained, 0, 6}}).ok());
  EXPECT_EQ(ledger.Record(std::vector<Span>{{id, RowKind::kFiltered, 5, 7}}).code(),
            StatusCode::kInternal);
  EXPECT_EQ(ledger.Record(std::vector<Span>{{id, RowKind::kTrained, 9, 11}}).code(),
            StatusCode::kInternal);
}

TEST(Ledger, LeasesALostTaskAgainWithoutWhatIsCovered) {
  Ledger ledger(2);
  ASSERT_TRUE(ledger.Add(Task(10)).ok());
  const Lease first = *ledger.Grant(7);
  ASSERT_TRUE(ledger.Record(std::vector<Span>{{first.task.id, RowKind::kTrained, 2, 4}}).ok());
  EXPECT_EQ(ledger.free_tasks(), 0U);
  ledger.Release(7);
  const Lease again = *ledger.Grant(8);
  EXPECT_EQ(again.task.id, first.task.id);
  EXPECT_GT(again.generation, first.generation);
  EXPECT_EQ(again.done, batch::IntervalSet::Of(2, 4));
}

TEST(Ledger, SpansMayComeBeforeTheirTask) {
  Ledger ledger(1);
  ASSERT_TRUE(ledger.Record(std::vector<Span>{{0, RowKind::kTrained, 0, 3}}).ok());
  ASSERT_TRUE(ledger.Add(Task(3)).ok());
  ledger.EndOfTasks();
  EXPECT_TRUE(ledger.PhaseComplete());
  EXPECT_EQ(ledger.free_tasks(), 0U);
}

// A restarted master may take a save point before it has planned the windows again.
TEST(Ledger, KeepsAPositionWhoseTasksAreNotAddedYet) {
  Ledger first(1);
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(first.Add(Task(4)).ok());
  const TaskId done = first.Grant(7)->task.id;
  const TaskId half = first.Grant(7)->task.id;
  ASSERT_TRUE(first
                  .Record(std::vector<Span>{{done, RowKind::kTrained, 0, 4},
                                            {half, RowKind::kTrained, 1, 3}})
                  .ok());
  const Position position = first.Save();
  Ledger second(2);
  second.Restore(position);
  for (int i = 0; i < 3; ++i) {
    const Position again = second.Save();
    EXPECT_EQ(again.tasks_done, 1U) << i;
    EXPECT_EQ(again.open, position.open) << i;
    EXPECT_EQ(again.counts, position.counts) << i;
    ASSERT_TRUE(second.Add(Task(4)).ok());
  }
}

// Any history: save at some instant, go on, return: the counts are those of the instant, and what
// was not recorded then is leased again.
TEST(Ledger, ReturnsToAPosition) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    SeededSequence random(seed);
    Ledger ledger(1);
    for (int i = 0; i < 5; ++i) ASSERT_TRUE(ledger.Add(Task(1 + random.Below(9))).ok());
    ledger.EndOfTasks();
    std::vector<Lease> leases;
    const auto step = [&] {
      if (random.Below(3) == 0) {
        if (auto lease = ledger.Grant(1 + random.Below(3))) leases.push_back(*lease);
      } else if (!leases.empty()) {
        const std::size_t pick = random.Below(leases.size());
        const auto left = leases[pick].done.Missing(0, leases[pick].task.rows);
        if (left.empty()) return;
        const uint64_t row = left.intervals().front().begin;
        leases[pick].done.Add(row, row + 1);
        const auto kind = random.Below(4) == 0 ? RowKind::kExcluded : RowKind::kTrained;
        ASSERT_TRUE(
            ledger.Record(std::vector<Span>{{leases[pick].task.id, kind, row, row + 1}}).ok());
      }
      ASSERT_TRUE(CheckBalance(ledger.Counts()).ok());
    };
    for (uint64_t i = random.Below(40); i > 0; --i) step();
    const Position position = ledger.Save();
    const RowCounts then = ledger.Counts();
    if (ledger.PhaseComplete()) continue;
    for (uint64_t i = random.Below(40); i > 0; --i) step();
    ledger.Restore(position);
    EXPECT_EQ(ledger.Counts().kinds, then.kinds);
    EXPECT_TRUE(CheckBalance(ledger.Counts()).ok());
    const Position again = ledger.Save();
    EXPECT_EQ(again.open, position.open);
    EXPECT_EQ(again.counts, position.counts);
    while (auto lease = ledger.Grant(9)) {
      const batch::IntervalSet holes = lease->done.Missing(0, lease->task.rows);
      for (const batch::Interval& hole : holes.intervals()) {
        const Span span{lease->task.id, RowKind::kTrained, hole.begin, hole.end};
        ASSERT_TRUE(ledger.Record(std::span(&span, 1)).ok());
      }
    }
    EXPECT_TRUE(ledger.PhaseComplete());
    EXPECT_EQ(ledger.Save().phase, 1U);
  }
}

}  // namespace
}  // namespace primus::data
