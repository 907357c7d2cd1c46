#include "primus/executor/batch_cutter.h"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace primus::executor {
namespace {

using batch::RowKind;
using batch::Span;

constexpr BatchCutter::Options kOptions{.batch_rows = 4, .progressive_rows = 3};

data::PhaseScope Phase(uint32_t phase, batch::Purpose purpose = batch::Purpose::kTrain) {
  data::PhaseScope scope;
  scope.phase = phase;
  scope.purpose = purpose;
  return scope;
}

std::shared_ptr<const batch::EncodedRows> Rows(TaskId task, std::vector<uint64_t> positions,
                                               std::vector<Span> skipped = {}) {
  auto rows = std::make_shared<batch::EncodedRows>();
  rows->task = task;
  rows->positions = std::move(positions);
  rows->labels.resize(rows->positions.size());
  rows->skipped = std::move(skipped);
  return rows;
}

std::size_t RowsOf(const CutBatch& batch) {
  std::size_t rows = 0;
  for (const RowPiece& piece : batch.pieces) rows += piece.end - piece.begin;
  return rows;
}

TEST(BatchCutter, FillsBatchesOverTheBordersOfTasks) {
  BatchCutter cutter(kOptions);
  cutter.Add(Phase(0), Rows(1, {0, 1, 2}));
  EXPECT_FALSE(cutter.HasWhole());
  cutter.Add(Phase(0), Rows(2, {0, 1, 2}));
  ASSERT_TRUE(cutter.HasWhole());
  const CutBatch batch = cutter.Take();
  EXPECT_EQ(RowsOf(batch), 4u);
  EXPECT_EQ(batch.spans,
            (std::vector<Span>{{1, RowKind::kTrained, 0, 3}, {2, RowKind::kTrained, 0, 1}}));
  EXPECT_FALSE(cutter.HasWhole());
  EXPECT_EQ(cutter.rows(), 2u);
}

TEST(BatchCutter, KeepsTheOrderOfShuffledRowsAndNamesTheirPositions) {
  BatchCutter cutter(kOptions);
  cutter.Add(Phase(0), Rows(1, {7, 2, 3, 9, 1}));
  const CutBatch batch = cutter.Take();
  ASSERT_EQ(batch.pieces.size(), 1u);
  EXPECT_EQ(batch.pieces[0].begin, 0u);
  EXPECT_EQ(batch.pieces[0].end, 4u);
  EXPECT_EQ(batch.spans, (std::vector<Span>{{1, RowKind::kTrained, 2, 4},
                                            {1, RowKind::kTrained, 7, 8},
                                            {1, RowKind::kTrained, 9, 10}}));
}

TEST(BatchCutter, AChangeOfPhaseEndsABatchShort) {
  BatchCutter cutter(kOptions);
  cutter.Add(Phase(0), Rows(1, {0, 1}));
  cutter.Add(Phase(1, batch::Purpose::kHoldout), Rows(1, {0, 1, 2, 3}));
  ASSERT_TRUE(cutter.HasWhole());
  const CutBatch last = cutter.Take();
  EXPECT_EQ(RowsOf(last), 2u);
  EXPECT_EQ(last.info.phase, 0u);
  ASSERT_TRUE(cutter.HasWhole());
  const CutBatch first = cutter.Take();
  EXPECT_EQ(RowsOf(first), 4u);
  EXPECT_EQ(first.info.purpose, batch::Purpose::kHoldout);
  EXPECT_EQ(first.spans, (std::vector<Span>{{1, RowKind::kEvaluated, 0, 4}}));
  EXPECT_FALSE(cutter.HasRest());
}

TEST(BatchCutter, ProgressiveBlocksHaveTheirOwnSizeAndAreTrained) {
  BatchCutter cutter(kOptions);
  cutter.Add(Phase(2, batch::Purpose::kProgressive), Rows(1, {0, 1, 2}));
  ASSERT_TRUE(cutter.HasWhole());
  const CutBatch batch = cutter.Take();
  EXPECT_EQ(RowsOf(batch), 3u);
  EXPECT_EQ(batch.spans, (std::vector<Span>{{1, RowKind::kTrained, 0, 3}}));
}

TEST(BatchCutter, SkippedPositionsTravelWithTheNextBatch) {
  BatchCutter cutter(kOptions);
  cutter.Add(Phase(0), Rows(1, {}, {{1, RowKind::kFiltered, 0, 5}}));
  EXPECT_FALSE(cutter.HasWhole());
  cutter.Add(Phase(0), Rows(1, {5, 6, 7, 8}, {{1, RowKind::kCorrupt, 9, 10}}));
  const CutBatch batch = cutter.Take();
  EXPECT_EQ(batch.spans, (std::vector<Span>{{1, RowKind::kTrained, 5, 9},
                                            {1, RowKind::kFiltered, 0, 5},
                                            {1, RowKind::kCorrupt, 9, 10}}));
  EXPECT_FALSE(cutter.HasRest());
}

TEST(BatchCutter, WhatAPhaseLeavesWithoutRowsIsABatchWithoutRows) {
  BatchCutter cutter(kOptions);
  cutter.Add(Phase(0), Rows(1, {}, {{1, RowKind::kExcluded, 0, 50}}));
  ASSERT_TRUE(cutter.HasRest());
  const CutBatch batch = cutter.Take();
  EXPECT_EQ(RowsOf(batch), 0u);
  EXPECT_EQ(batch.spans, (std::vector<Span>{{1, RowKind::kExcluded, 0, 50}}));
  EXPECT_FALSE(cutter.HasRest());
}

TEST(BatchCutter, ManySkippedSpansGoAheadAndDoNotShortenBatches) {
  BatchCutter cutter(kOptions);
  std::vector<Span> skipped;
  for (uint64_t i = 0; i < kSkippedSpansMax + 5; ++i) {
    skipped.push_back({1, RowKind::kFiltered, 10 + 2 * i, 11 + 2 * i});
  }
  cutter.Add(Phase(0), Rows(1, {0, 1, 2}, skipped));
  ASSERT_TRUE(cutter.HasWhole());
  const CutBatch ahead = cutter.Take();
  EXPECT_EQ(RowsOf(ahead), 0u);
  EXPECT_EQ(ahead.spans.size(), kSkippedSpansMax);
  EXPECT_FALSE(cutter.HasWhole());
  cutter.Add(Phase(0), Rows(1, {3}));
  const CutBatch batch = cutter.Take();
  EXPECT_EQ(RowsOf(batch), 4u);
  EXPECT_EQ(batch.spans.size(), 1u + 5u);
}

TEST(BatchCutter, BlocksAreNumberedInTheFlow) {
  BatchCutter cutter(kOptions);
  cutter.Add(Phase(0), Rows(1, {0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(cutter.Take().info.block, 0u);
  EXPECT_EQ(cutter.Take().info.block, 1u);
  cutter.Clear();
  cutter.Add(Phase(0), Rows(1, {0}));
  EXPECT_EQ(cutter.Take().info.block, 0u);
}

}  // namespace
}  // namespace primus::executor
