#include "primus/savepoint/text.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "primus/base/crc32c.h"
#include "primus/embedding/test_model.h"
#include "primus/savepoint/record.h"
#include "primus/sim/store.h"
#include "primus/sim/world.h"

#include "proto/wire/record.pb.h"

namespace primus::savepoint {
namespace {

// Two save points of two ps: the second has one more row.
class TextTest : public testing::Test {
 protected:
  TextTest() {
    Push(0, {9, 3}, {1, 1, 1, 0.5F, 1, 1, 1, -2});
    Save(2, 1);
    Push(1, {uint64_t{200} << 56}, {0, 0, 0, 1e-20F});
    Save(4, 2);
  }

  void Push(std::size_t ps, const std::vector<uint64_t>& keys,
            const std::vector<float>& gradients) {
    const embedding::TableGradients pushed{.table = 0, .keys = keys, .gradients = gradients};
    PRIMUS_CHECK(stores_[ps]->Push({&pushed, 1}, {}).ok(), "keys of this ps");
  }
  void Save(uint64_t number, uint64_t cut) {
    wire::Record record;
    record.set_number(number);
    wire::Manifest* manifest = record.mutable_manifest();
    manifest->set_cut(cut);
    manifest->set_attempt(1);
    manifest->set_job("movielens");
    manifest->set_reason("Interval");
    manifest->set_wall_nanos(1'700'000'000'000'000'000 + static_cast<int64_t>(cut) * 1'000'000'000);
    manifest->mutable_position()->mutable_counts()->add_kinds(100 * cut);
    for (uint32_t ps : {1U, 0U}) {
      const jobspec::ShardRange shards = jobspec::ShardsOfPs(ps, 2);
      const std::string bytes =
          stores_[ps]->Freeze()->EncodePart({.job = "movielens", .stamp = {}});
      wire::Part* part = manifest->add_parts();
      part->set_name("parts/c" + std::to_string(cut) + "/" + std::to_string(ps));
      part->set_size(bytes.size());
      part->set_crc32c(Crc32c(bytes));
      part->set_first_shard(shards.first);
      part->set_last_shard(shards.last);
      PRIMUS_CHECK(blobs_.PutIfAbsent(part->name(), bytes).ok(), "a new name");
    }
    PRIMUS_CHECK(blobs_.PutIfAbsent(RecordName(number), EncodeRecord(record)).ok(), "a new name");
  }
  std::string Dump(uint64_t number) {
    std::ostringstream out;
    const Status status = WriteTable(blobs_, number, "movie", out);
    EXPECT_TRUE(status.ok()) << status.ToString();
    return out.str();
  }

  sim::World world_{1};
  sim::Faults faults_;
  sim::Blobs blobs_{world_, faults_};
  embedding::TestModel model_;
  std::vector<std::unique_ptr<embedding::ShardStore>> stores_ = MakeStores();

 private:
  std::vector<std::unique_ptr<embedding::ShardStore>> MakeStores() {
    model_.plan.tables[0].init_normal_std = 0;
    std::vector<std::unique_ptr<embedding::ShardStore>> stores;
    stores.push_back(model_.Store(jobspec::ShardsOfPs(0, 2)));
    stores.push_back(model_.Store(jobspec::ShardsOfPs(1, 2)));
    return stores;
  }
};

TEST_F(TextTest, DumpIsSortedByKeyOverAllParts) {
  EXPECT_EQ(Dump(0),
            "3\t-1 -1 -1 2\n"
            "9\t-1 -1 -1 -0.5\n"
            "14411518807585587200\t0 0 0 -1e-20\n");
  EXPECT_EQ(Dump(2), "3\t-1 -1 -1 2\n9\t-1 -1 -1 -0.5\n");
}

// tests/integration/read_part_test.py compares the format's other reader with the same text.
TEST_F(TextTest, TheGoldenPartIsDumpedAsEver) {
  const auto read = [](const char* path) {
    std::ifstream file(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  const std::string bytes = read(PRIMUS_GOLDEN "/part_v1.bin");
  ASSERT_TRUE(blobs_.PutIfAbsent("parts/golden", bytes).ok());
  wire::Record record;
  record.set_number(7);
  wire::Part* part = record.mutable_manifest()->add_parts();
  part->set_name("parts/golden");
  part->set_size(bytes.size());
  part->set_crc32c(Crc32c(bytes));
  ASSERT_TRUE(blobs_.PutIfAbsent(RecordName(7), EncodeRecord(record)).ok());
  EXPECT_EQ(Dump(7), read(PRIMUS_GOLDEN "/part_v1_movie.txt"));
}

TEST_F(TextTest, AnUnknownTableOrSavePointNamesThoseThatThereAre) {
  std::ostringstream out;
  const Status table = WriteTable(blobs_, 0, "film", out);
  EXPECT_EQ(table.code(), StatusCode::kNotFound);
  EXPECT_EQ(table.message(), "no table \"film\", there are: movie row");
  const Status number = WriteTable(blobs_, 3, "movie", out);
  EXPECT_EQ(number.message(), "no save point 3, there are: 2 4");
  EXPECT_EQ(out.str(), "");
}

TEST_F(TextTest, ListHasOneLineASavePoint) {
  std::ostringstream out;
  ASSERT_TRUE(WriteList(blobs_, out).ok());
  EXPECT_NE(out.str().find("\n2           2023-11-14T22:13:21Z  Interval  1       100 "),
            std::string::npos)
      << out.str();
  EXPECT_NE(out.str().find("\n4           2023-11-14T22:13:22Z  Interval  2       200 "),
            std::string::npos)
      << out.str();
}

TEST_F(TextTest, DescriptionHasTablesAndParts) {
  std::ostringstream out;
  ASSERT_TRUE(WriteDescription(blobs_, 0, out).ok());
  for (const char* line : {"save point: 4\n", "job: movielens\n", "rows trained: 200\n",
                           "part: parts/c2/1 (shards 128 to 255, ", "table: movie (3 entries)\n",
                           "table: row (0 entries)\n"}) {
    EXPECT_NE(out.str().find(line), std::string::npos) << line << "\n" << out.str();
  }
}

TEST_F(TextTest, ADamagedPartIsNamed) {
  ASSERT_TRUE(blobs_.Delete("parts/c2/0").ok());
  ASSERT_TRUE(blobs_.PutIfAbsent("parts/c2/0", "torn").ok());
  std::ostringstream out;
  const Status status = WriteTable(blobs_, 0, "movie", out);
  EXPECT_EQ(status.code(), StatusCode::kDataLoss);
  EXPECT_NE(status.message().find("parts/c2/0"), std::string::npos);
}

}  // namespace
}  // namespace primus::savepoint
