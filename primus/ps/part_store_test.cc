#include "primus/ps/part_store.h"

#include <gtest/gtest.h>

#include <map>

#include "primus/base/crc32c.h"
#include "primus/ps/test_model.h"

namespace primus::ps {
namespace {

// Blobs in memory, with the errors that a test asks for.
class MemoryBlobs final : public store::BlobStore {
 public:
  Status PutIfAbsent(std::string_view name, std::string_view bytes) override {
    ++puts;
    if (fail_before > 0) return --fail_before, Status(error, "disk");
    if (!blobs.emplace(name, bytes).second) return AlreadyExistsError(std::string(name));
    if (fail_after > 0) return --fail_after, Status(error, "disk");
    return OkStatus();
  }
  Result<std::string> Get(std::string_view name) override {
    const auto it = blobs.find(std::string(name));
    if (it == blobs.end()) return NotFoundError(std::string(name));
    return it->second;
  }
  Result<std::string> GetRange(std::string_view, uint64_t, uint64_t) override {
    return UnimplementedError("not asked for");
  }
  Result<std::vector<store::BlobInfo>> List(std::string_view) override {
    return UnimplementedError("not asked for");
  }
  Status Delete(std::string_view) override { return UnimplementedError("not asked for"); }

  std::map<std::string, std::string> blobs;
  int puts = 0;
  int fail_before = 0;  // tries that fail with nothing written
  int fail_after = 0;   // tries that fail although all was written
  StatusCode error = StatusCode::kUnavailable;
};

class PartStoreTest : public testing::Test {
 protected:
  static constexpr uint64_t kLow = 5;
  static constexpr uint64_t kHigh = uint64_t{200} << 56;

  // Writes what ps `index` of `count` has after one push.
  Result<WrittenPart> Write(uint32_t index, uint32_t count) {
    const jobspec::ShardRange shards = jobspec::ShardsOfPs(index, count);
    const auto parameters = model_.Maker(shards)().value();
    for (const uint64_t key : {kLow, kHigh}) {
      if (jobspec::PsOfShard(jobspec::ShardOfKey(key), count) != index) continue;
      const std::vector<float> gradient = {1, -1};
      const embedding::TableGradients push{.table = 0, .keys = {&key, 1}, .gradients = gradient};
      EXPECT_TRUE(parameters->Push({&push, 1}, {}).ok());
    }
    return WritePart(blobs_, {.frozen = parameters->Freeze(),
                              .origin = {.job = "job", .stamp = {1, 1, 1}},
                              .name = "parts/p" + std::to_string(index),
                              .abandoned = wanted_});
  }
  static PartReference Reference(const WrittenPart& part, const jobspec::ShardRange& shards) {
    return {.name = part.name, .size = part.size, .crc32c = part.crc32c, .shards = shards};
  }
  Status Load(std::vector<PartReference> parts) {
    return LoadParts(blobs_, {.parts = std::move(parts),
                              .shards = {0, 255},
                              .new_store = model_.Maker({0, 255}),
                              .abandoned = wanted_})
        .status();
  }

  const TestModel model_;
  MemoryBlobs blobs_;
  const std::shared_ptr<Abandoned> wanted_ = std::make_shared<Abandoned>(false);
};

TEST_F(PartStoreTest, SizeAndChecksumAreThoseOfTheBlob) {
  const WrittenPart part = Write(0, 1).value();
  EXPECT_EQ(blobs_.blobs.at(part.name).size(), part.size);
  EXPECT_EQ(Crc32c(blobs_.blobs.at(part.name)), part.crc32c);
}

TEST_F(PartStoreTest, AnUnknownOutcomeIsReadBack) {
  blobs_.fail_after = 1;
  EXPECT_TRUE(Write(0, 1).ok());
  EXPECT_EQ(blobs_.puts, 2);
}

TEST_F(PartStoreTest, APassingErrorIsTriedAgainAndALastingOneReported) {
  blobs_.fail_before = 1;
  EXPECT_TRUE(Write(0, 2).ok());
  blobs_.fail_before = 2;
  EXPECT_EQ(Write(1, 2).status().code(), StatusCode::kUnavailable);
  blobs_.fail_before = 1;
  blobs_.error = StatusCode::kResourceExhausted;
  EXPECT_EQ(Write(1, 2).status().code(), StatusCode::kResourceExhausted);
}

TEST_F(PartStoreTest, ANameTakenByOtherBytesIsRefused) {
  blobs_.blobs["parts/p0"] = "another";
  EXPECT_EQ(Write(0, 1).status().code(), StatusCode::kDataLoss);
  EXPECT_EQ(blobs_.blobs["parts/p0"], "another");
}

TEST_F(PartStoreTest, WorkThatNobodyWantsIsNotDone) {
  *wanted_ = true;
  EXPECT_EQ(Write(0, 1).status().code(), StatusCode::kCancelled);
  EXPECT_EQ(Load({}).code(), StatusCode::kCancelled);
  EXPECT_EQ(blobs_.puts, 0);
}

TEST_F(PartStoreTest, PartsOfAnotherSizeOrChecksumOrNoneAreDataLoss) {
  const PartReference low = Reference(Write(0, 2).value(), {0, 127});
  const PartReference high = Reference(Write(1, 2).value(), {128, 255});
  EXPECT_TRUE(Load({low, high}).ok());
  PartReference wrong = low;
  wrong.size += 1;
  EXPECT_EQ(Load({wrong, high}).code(), StatusCode::kDataLoss);
  wrong = low;
  wrong.crc32c += 1;
  EXPECT_EQ(Load({wrong, high}).code(), StatusCode::kDataLoss);
  EXPECT_EQ(Load({low}).code(), StatusCode::kDataLoss);
  blobs_.blobs.erase(high.name);
  const Status absent = Load({low, high});
  EXPECT_EQ(absent.code(), StatusCode::kDataLoss);
  EXPECT_NE(absent.message().find(high.name), std::string::npos);
}

TEST_F(PartStoreTest, ReadsOnlyThePartsOfItsOwnShards) {
  const PartReference low = Reference(Write(0, 2).value(), {0, 127});
  const PartReference nowhere{.name = "parts/gone", .size = 1, .crc32c = 1, .shards = {128, 255}};
  EXPECT_TRUE(LoadParts(blobs_, {.parts = {low, nowhere},
                                 .shards = {10, 20},
                                 .new_store = model_.Maker({10, 20}),
                                 .abandoned = wanted_})
                  .ok());
}

}  // namespace
}  // namespace primus::ps
