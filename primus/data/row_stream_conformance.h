// The contract of RowStreams, as a suite that every implementation runs:
//
//   RowStreamSubject MakeSubject() { … }
//   INSTANTIATE_TEST_SUITE_P(Counted, RowStreamConformance, testing::Values(&MakeSubject));
//
// For tests only.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "primus/data/row_stream.h"

namespace primus::data {

// A task of at least 20 rows that can be opened any number of times.
struct RowStreamSubject {
  std::shared_ptr<RowStreams> streams;
  TaskPlan task;
  PhaseScope scope;              // of a phase that reads every row
  std::shared_ptr<void> keeper;  // whatever must outlive the streams
};
using MakeRowStreamSubject = RowStreamSubject (*)();

class RowStreamConformance : public testing::TestWithParam<MakeRowStreamSubject> {
 protected:
  RowStreamConformance() : subject_(GetParam()()) {}

  struct Row {
    uint64_t position = 0;
    float label = 0;
    std::vector<std::vector<uint64_t>> keys;
    std::vector<float> dense;
    auto operator<=>(const Row&) const = default;
  };
  struct Reading {
    std::vector<Row> rows;
    std::vector<batch::Span> skipped;
  };

  static void AddChunk(const batch::EncodedRows& chunk, Reading& reading) {
    ASSERT_EQ(chunk.labels.size(), chunk.rows());
    for (std::size_t i = 0; i < chunk.rows(); ++i) {
      Row& row = reading.rows.emplace_back();
      row.position = chunk.positions[i];
      row.label = chunk.labels[i];
      for (const batch::KeyColumn& column : chunk.keys) {
        ASSERT_EQ(column.offsets.size(), chunk.rows() + 1);
        ASSERT_EQ(column.offsets.back(), column.keys.size());
        row.keys.emplace_back(column.keys.begin() + column.offsets[i],
                              column.keys.begin() + column.offsets[i + 1]);
      }
      for (const std::vector<float>& column : chunk.dense) {
        ASSERT_EQ(column.size(), chunk.rows());
        row.dense.push_back(column[i]);
      }
    }
    reading.skipped.insert(reading.skipped.end(), chunk.skipped.begin(), chunk.skipped.end());
  }

  Reading Read(const PhaseScope& scope, const batch::IntervalSet& skip = {}) {
    Reading reading;
    auto stream = subject_.streams->Open(subject_.task, scope, skip);
    EXPECT_TRUE(stream.ok()) << stream.status().ToString();
    if (!stream.ok()) return reading;
    for (std::size_t chunks = 0; chunks <= subject_.task.rows; ++chunks) {
      auto chunk = (*stream)->Next();
      EXPECT_TRUE(chunk.ok()) << chunk.status().ToString();
      if (!chunk.ok() || !*chunk) return reading;
      EXPECT_EQ((**chunk).task, subject_.task.id);
      AddChunk(**chunk, reading);
    }
    ADD_FAILURE() << "the stream does not end";
    return reading;
  }

  // Each position once, as a row, in `skipped` or in `skip`.
  void ExpectWhole(const Reading& reading, const batch::IntervalSet& skip = {}) {
    batch::IntervalSet seen = skip;
    uint64_t counted = skip.size();
    for (const Row& row : reading.rows) counted += seen.Add(row.position, row.position + 1);
    EXPECT_EQ(counted, skip.size() + reading.rows.size()) << "a row came twice";
    for (const batch::Span& span : reading.skipped) {
      EXPECT_EQ(span.task, subject_.task.id);
      EXPECT_EQ(seen.Add(span.begin, span.end), span.end - span.begin) << "skipped and read";
    }
    EXPECT_EQ(seen, batch::IntervalSet::Of(0, subject_.task.rows));
  }

  PhaseScope Shuffled(uint64_t seed) const {
    PhaseScope scope = subject_.scope;
    scope.shuffle = true;
    scope.shuffle_seed = seed;
    return scope;
  }

  RowStreamSubject subject_;
};

TEST_P(RowStreamConformance, EveryPositionComesOnce) {
  ExpectWhole(Read(subject_.scope));
  ExpectWhole(Read(Shuffled(1)));
}

TEST_P(RowStreamConformance, WithoutShuffleRowsComeInOrder) {
  PhaseScope scope = subject_.scope;
  scope.shuffle = false;
  const Reading reading = Read(scope);
  EXPECT_TRUE(std::is_sorted(reading.rows.begin(), reading.rows.end(),
                             [](const Row& a, const Row& b) { return a.position < b.position; }));
}

TEST_P(RowStreamConformance, TheSameTaskGivesTheSameRowsAgain) {
  EXPECT_EQ(Read(Shuffled(3)).rows, Read(Shuffled(3)).rows);
}

TEST_P(RowStreamConformance, AnotherSeedGivesAnotherOrderOfTheSameRows) {
  std::vector<Row> one = Read(Shuffled(1)).rows;
  std::vector<Row> other = Read(Shuffled(2)).rows;
  EXPECT_NE(one, other);
  std::sort(one.begin(), one.end());
  std::sort(other.begin(), other.end());
  EXPECT_EQ(one, other);
}

TEST_P(RowStreamConformance, WhatIsSkippedDoesNotMoveTheRest) {
  batch::IntervalSet skip = batch::IntervalSet::Of(0, 3);
  skip.Add(7, 8);
  skip.Add(subject_.task.rows - 2, subject_.task.rows);
  const Reading rest = Read(Shuffled(5), skip);
  ExpectWhole(rest, skip);
  std::vector<Row> expected = Read(Shuffled(5)).rows;
  std::erase_if(expected, [&](const Row& row) { return skip.Contains(row.position); });
  EXPECT_EQ(rest.rows, expected);
}

TEST_P(RowStreamConformance, SkippingEverythingYieldsNothing) {
  const Reading reading = Read(Shuffled(5), batch::IntervalSet::Of(0, subject_.task.rows));
  EXPECT_TRUE(reading.rows.empty());
  EXPECT_TRUE(reading.skipped.empty());
}

}  // namespace primus::data
