#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <sstream>

#include "primus/base/crc32c.h"
#include "primus/base/seeded.h"
#include "primus/embedding/part_reader.h"
#include "primus/embedding/part_writer.h"
#include "primus/embedding/test_model.h"

namespace primus::embedding {
namespace {

std::string SmallPart() {
  const TestModel model;
  const auto store = model.Store(jobspec::ShardsOfPs(0, 2));
  PRIMUS_CHECK(PushRows(*store, 0, {3, uint64_t{1} << 56, 1}, std::vector<float>(12, 0.5F)).ok(),
               "keys of this store");
  PRIMUS_CHECK(PushRows(*store, 1, {42}, {2}).ok(), "keys of this store");
  PRIMUS_CHECK(store->Push({}, std::vector<float>(store->dense_size(), 1.0F)).ok(), "dense");
  return store->Freeze()->EncodePart({.job = "golden", .stamp = {2, 5, 9}});
}

TEST(PartTest, WhatWasWrittenIsRead) {
  const std::string bytes = SmallPart();
  const PartReader part = PartReader::Open(bytes).value();
  EXPECT_EQ(part.header().origin.job, "golden");
  EXPECT_EQ(part.header().origin.stamp, (Stamp{2, 5, 9}));
  EXPECT_EQ(part.header().shards.first, 0U);
  EXPECT_EQ(part.header().shards.last, 127U);
  ASSERT_EQ(part.header().tables.size(), 2U);
  EXPECT_EQ(part.header().tables[0].name, "movie");
  EXPECT_EQ(part.header().tables[0].width(), 4U);
  EXPECT_EQ(part.header().tables[0].optimizer, "summing");
  EXPECT_EQ(part.header().tables[1].state_size, 1U);
  EXPECT_EQ(part.header().dense_values, 2600U);
  EXPECT_EQ(part.header().dense_optimizer, "stepping");

  // movie in shards 0 and 1, row in shard 0, dense blocks 0 and 1 (shards 0 and 101).
  ASSERT_EQ(part.blocks().size(), 5U);
  const PartBlock& movies = part.blocks()[0];
  EXPECT_EQ(movies.count, 2U);
  EXPECT_EQ(PartReader::Key(movies, 0), 1U);
  EXPECT_EQ(PartReader::Key(movies, 1), 3U);
  float values[4];
  PartReader::CopyValues(movies, 1, values);
  EXPECT_EQ(values[3], -0.5F);
  EXPECT_EQ(part.blocks()[1].shard, 1U);
  EXPECT_EQ(part.blocks()[2].table, 1U);
  EXPECT_EQ(part.blocks()[3].kind, PartBlockKind::kDense);
  EXPECT_EQ(part.blocks()[4].number, 1U);
  EXPECT_EQ(part.blocks()[4].shard, 101U);
  EXPECT_EQ(part.blocks()[4].steps, 1U);
}

TEST(PartTest, EveryTruncationIsFound) {
  const std::string bytes = SmallPart();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const auto part = PartReader::Open(std::string_view(bytes).substr(0, size));
    ASSERT_EQ(part.status().code(), StatusCode::kDataLoss) << size;
  }
  EXPECT_EQ(PartReader::Open(bytes + '\0').status().code(), StatusCode::kDataLoss);
}

TEST(PartTest, EveryFlippedBitIsFound) {
  std::string bytes = SmallPart();
  SeededSequence random(1);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const auto bit = static_cast<char>(1 << random.Below(8));
    bytes[i] = static_cast<char>(bytes[i] ^ bit);
    const Status status = PartReader::Open(bytes).status();
    // The version stands before its checksum, so that a newer file says what it is.
    const bool is_version = i >= 8 && i < 12;
    ASSERT_EQ(status.code(), is_version ? StatusCode::kFailedPrecondition : StatusCode::kDataLoss)
        << "byte " << i;
    bytes[i] = static_cast<char>(bytes[i] ^ bit);
  }
  EXPECT_TRUE(PartReader::Open(bytes).ok());
}

TEST(PartTest, AnotherVersionIsRefusedNamingBoth) {
  std::string bytes = SmallPart();
  bytes[8] = 9;
  const Status status = PartReader::Open(bytes).status();
  EXPECT_EQ(status.code(), StatusCode::kFailedPrecondition);
  EXPECT_NE(status.message().find("version 9"), std::string::npos);
  EXPECT_NE(status.message().find("version 1"), std::string::npos);
}

TEST(PartTest, HugeSizesAreRefusedBeforeMemoryIsTaken) {
  // A header of 4 GiB, an index of 2^60 blocks, 2^63 dense values: all with checksums that hold.
  std::string bytes = SmallPart();
  std::memset(bytes.data() + 12, 0xFF, 4);
  EXPECT_EQ(PartReader::Open(bytes).status().code(), StatusCode::kDataLoss);
  PartHeader header;
  header.shards = {0, 255};
  header.dense_values = uint64_t{1} << 63;
  EXPECT_EQ(PartReader::Open(PartWriter(header, 0).Finish()).status().code(),
            StatusCode::kDataLoss);
  header.dense_values = ~uint64_t{0};
  EXPECT_EQ(PartReader::Open(PartWriter(header, 0).Finish()).status().code(),
            StatusCode::kDataLoss);
}

TEST(PartTest, KeysOutOfOrderTwiceOrInAnotherShardAreRefused) {
  PartHeader header;
  header.shards = {0, 255};
  header.tables = {{.name = "t", .dim = 1, .first_order = 0, .optimizer = "o", .state_size = 0}};
  const float value = 1;
  const auto open = [&](const std::vector<std::vector<PartRow>>& blocks) {
    PartWriter writer(header, 0);
    for (const auto& rows : blocks) writer.AddRows(0, 0, rows);
    return PartReader::Open(writer.Finish()).status().code();
  };
  const PartRow one{1, &value};
  const PartRow two{2, &value};
  const PartRow far{uint64_t{1} << 60, &value};
  EXPECT_EQ(open({{one, two}}), StatusCode::kOk);
  EXPECT_EQ(open({{one}, {two}}), StatusCode::kOk);
  EXPECT_EQ(open({{two, one}}), StatusCode::kDataLoss);
  EXPECT_EQ(open({{one, one}}), StatusCode::kDataLoss);
  EXPECT_EQ(open({{two}, {one}}), StatusCode::kDataLoss);
  EXPECT_EQ(open({{one}, {one}}), StatusCode::kDataLoss);
  EXPECT_EQ(open({{one, far}}), StatusCode::kDataLoss);
}

TEST(PartTest, MoreRowsThanABlockHolds) {
  const TestModel model;
  const auto store = model.Store();
  std::vector<uint64_t> keys(3 * kPartBlockRows / 2);
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = keys.size() - i;
  PullRows(*store, 0, keys, Absent::kCreate);
  const std::string bytes = store->Freeze()->EncodePart({});
  const PartReader part = PartReader::Open(bytes).value();
  EXPECT_EQ(part.blocks()[0].count, kPartBlockRows);
  EXPECT_EQ(part.blocks()[1].count, kPartBlockRows / 2);
}

// A file of each released version is read for ever. PRIMUS_GOLDEN is the folder tests/golden.
TEST(PartTest, TheGoldenFileOfVersionOneIsRead) {
  std::ifstream file(PRIMUS_GOLDEN "/part_v1.bin", std::ios::binary);
  std::stringstream bytes;
  bytes << file.rdbuf();
  const std::string golden = bytes.str();
  ASSERT_FALSE(golden.empty());
  const PartReader part = PartReader::Open(golden).value();
  EXPECT_EQ(part.header().origin.job, "golden");
  ASSERT_EQ(part.blocks().size(), 5U);
  float values[4];
  PartReader::CopyValues(part.blocks()[0], 1, values);
  EXPECT_EQ(values[3], -0.5F);
  const TestModel model;
  EXPECT_TRUE(model.Store(jobspec::ShardsOfPs(0, 2))->Restore(PartsOf({golden})).ok());
  // What is written today is still the same file.
  EXPECT_TRUE(golden == SmallPart());
}

}  // namespace
}  // namespace primus::embedding
