#include "primus/embedding/slab_store.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "primus/base/seeded.h"
#include "primus/embedding/dense_layout.h"
#include "primus/embedding/test_model.h"
#include "primus/env/asio_loop.h"
#include "primus/env/worker_pool.h"

namespace primus::embedding {
namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

// A step on keys drawn from `random`, given to whichever of `stores` owns each key.
void PushSomewhere(const TestModel& model, const std::vector<std::unique_ptr<ShardStore>>& stores,
                   SeededSequence& random) {
  const auto count = static_cast<uint32_t>(stores.size());
  for (uint32_t i = 0; i < 50; ++i) {
    const auto table = static_cast<uint32_t>(random.Below(2));
    const uint64_t key = Mix64(random.Below(3000));
    std::vector<float> gradients(model.plan.tables[table].width());
    for (float& gradient : gradients) gradient = static_cast<float>(random.NextUnit() - 0.5);
    ShardStore& owner = *stores[jobspec::PsOfShard(jobspec::ShardOfKey(key), count)];
    ASSERT_TRUE(PushRows(owner, table, {key}, gradients).ok());
  }
  const auto gradient = static_cast<float>(random.NextUnit());
  for (const auto& store : stores) {
    const std::vector<float> dense(store->dense_size(), gradient);
    ASSERT_TRUE(store->Push({}, dense).ok());
  }
}

std::vector<std::unique_ptr<ShardStore>> Stores(const TestModel& model, uint32_t count) {
  std::vector<std::unique_ptr<ShardStore>> stores;
  for (uint32_t i = 0; i < count; ++i) stores.push_back(model.Store(jobspec::ShardsOfPs(i, count)));
  return stores;
}

std::vector<std::string> Freeze(const std::vector<std::unique_ptr<ShardStore>>& stores) {
  std::vector<std::string> parts;
  for (const auto& store : stores) {
    parts.push_back(store->Freeze()->EncodePart({.job = "job", .stamp = {1, 2, 3}}));
  }
  return parts;
}

std::vector<std::unique_ptr<ShardStore>> Restore(const TestModel& model, uint32_t count,
                                                 const std::vector<std::string>& parts) {
  std::vector<std::unique_ptr<ShardStore>> stores = Stores(model, count);
  for (const auto& store : stores) {
    const Status status = store->Restore(PartsOf(parts));
    EXPECT_TRUE(status.ok()) << status.ToString();
  }
  return stores;
}

TEST(SlabStoreTest, AFreshModelDoesNotDependOnTheNumberOfPs) {
  const TestModel model;
  const auto one = Stores(model, 1);
  std::vector<float> whole(one[0]->dense_size());
  one[0]->PullDense(whole);
  ASSERT_EQ(whole.size(), model.plan.dense_values());
  const auto three = Stores(model, 3);
  uint64_t values = 0;
  for (uint32_t i = 0; i < 3; ++i) {
    std::vector<float> own(three[i]->dense_size());
    three[i]->PullDense(own);
    values += own.size();
    auto next = own.begin();
    for (const uint64_t block : DenseBlocksOf(whole.size(), jobspec::ShardsOfPs(i, 3))) {
      const auto size = static_cast<std::ptrdiff_t>(DenseBlockSize(whole.size(), block));
      const auto first = whole.begin() + static_cast<std::ptrdiff_t>(block * jobspec::kDenseBlock);
      EXPECT_TRUE(std::equal(next, next + size, first)) << block;
      next += size;
    }
  }
  EXPECT_EQ(values, whole.size());
}

TEST(SlabStoreTest, RestoreFourThenOneThenSevenIsBitIdentical) {
  const TestModel model;
  SeededSequence random(5);
  const auto four = Stores(model, 4);
  for (int step = 0; step < 40; ++step) PushSomewhere(model, four, random);
  const auto one = Restore(model, 1, Freeze(four));
  const std::vector<std::string> whole = Freeze(one);
  const auto seven = Restore(model, 7, whole);
  const auto back = Restore(model, 1, Freeze(seven));
  EXPECT_TRUE(Freeze(back) == whole);
  EXPECT_TRUE(Freeze(Restore(model, 4, whole)) == Freeze(four));
  // And they go on in the same way.
  SeededSequence left(6);
  SeededSequence right(6);
  PushSomewhere(model, four, left);
  PushSomewhere(model, seven, right);
  EXPECT_TRUE(Freeze(Restore(model, 1, Freeze(four))) == Freeze(Restore(model, 1, Freeze(seven))));
}

TEST(SlabStoreTest, AFrozenCopyIsOneInstantWhateverIsPushedAfterwards) {
  const TestModel model;
  SeededSequence random(8);
  const auto stores = Stores(model, 1);
  std::vector<std::pair<std::shared_ptr<const FrozenStore>, std::string>> copies;
  for (int cut = 0; cut < 5; ++cut) {
    for (int step = 0; step < 5; ++step) PushSomewhere(model, stores, random);
    const auto frozen = stores[0]->Freeze();
    copies.emplace_back(frozen, frozen->EncodePart({}));
  }
  for (const auto& [frozen, then] : copies) EXPECT_TRUE(frozen->EncodePart({}) == then);
}

// The part is encoded on another thread while rows are pushed here.
TEST(SlabStoreTest, AFrozenCopyIsWrittenBesideThePushes) {
  const TestModel model;
  SeededSequence random(9);
  const auto stores = Stores(model, 1);
  env::AsioLoop loop;
  env::WorkerPool pool(loop, 1);
  for (int cut = 0; cut < 4; ++cut) {
    PushSomewhere(model, stores, random);
    auto frozen = stores[0]->Freeze();
    const std::string then = frozen->EncodePart({});
    std::string written;
    bool done = false;
    pool.Run(
        [&written, copy = std::move(frozen)]() mutable {
          written = copy->EncodePart({});
          copy.reset();
        },
        [&done] { done = true; });
    for (int step = 0; step < 30; ++step) PushSomewhere(model, stores, random);
    ASSERT_TRUE(loop.RunUntil([&done] { return done; }, Seconds(60)));
    EXPECT_TRUE(written == then);
  }
}

TEST(SlabStoreTest, NonFiniteGradientsAreNamedAndTouchNothing) {
  const TestModel model;
  const auto stores = Stores(model, 1);
  ShardStore& store = *stores[0];
  ASSERT_TRUE(PushRows(store, 0, {1, 2}, std::vector<float>(8, 0.25F)).ok());
  const auto before = Freeze(stores);
  for (const float bad : {kNan, kInfinity, -kInfinity}) {
    const std::vector<uint64_t> keys = {1, 77};
    std::vector<float> gradients(8, 1.0F);
    gradients[6] = bad;
    const std::vector<uint64_t> rows = {5};
    const std::vector<float> fine = {1.0F};
    const TableGradients pushed[] = {{.table = 1, .keys = rows, .gradients = fine},
                                     {.table = 0, .keys = keys, .gradients = gradients}};
    const Status status = store.Push(pushed, {});
    EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
    EXPECT_NE(status.message().find("movie"), std::string::npos) << status.message();
    EXPECT_NE(status.message().find("key 77"), std::string::npos) << status.message();
    std::vector<float> dense(store.dense_size(), 0.0F);
    dense[13] = bad;
    const Status refused = store.Push({pushed, 1}, dense);
    EXPECT_EQ(refused.code(), StatusCode::kInvalidArgument);
    EXPECT_NE(refused.message().find("dense gradient 13"), std::string::npos);
  }
  EXPECT_TRUE(Freeze(stores) == before);
}

TEST(SlabStoreTest, WrongTablesKeysAndSizesAreRefusedAndTouchNothing) {
  const TestModel model;
  const auto store = model.Store(jobspec::ShardsOfPs(1, 2));
  const std::string before = store->Freeze()->EncodePart({});
  const uint64_t own = uint64_t{200} << 56;
  const uint64_t other = uint64_t{100} << 56 | 5;
  const std::vector<float> four(4, 1.0F);
  const Status status = PushRows(*store, 0, {own, other}, std::vector<float>(8, 1.0F));
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_NE(status.message().find("shard 100"), std::string::npos) << status.message();
  EXPECT_NE(status.message().find("movie"), std::string::npos) << status.message();
  EXPECT_EQ(PushRows(*store, 2, {own}, four).code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(PushRows(*store, 0, {own, own}, four).code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(store->Push({}, four).code(), StatusCode::kInvalidArgument);
  const std::vector<uint64_t> keys = {own, other};
  const TableKeys asked{.table = 0, .keys = keys};
  std::vector<float> rows(8);
  EXPECT_EQ(store->Pull({&asked, 1}, Absent::kCreate, rows).code(), StatusCode::kInvalidArgument);
  const TableKeys mine{.table = 0, .keys = {keys.data(), 1}};
  EXPECT_EQ(store->Pull({&mine, 1}, Absent::kCreate, rows).code(), StatusCode::kInvalidArgument);
  EXPECT_TRUE(store->Freeze()->EncodePart({}) == before);
}

TEST(SlabStoreTest, AKeyTwiceInOnePushTakesTwoUpdates) {
  const TestModel model;
  const auto store = model.Store();
  ASSERT_TRUE(PushRows(*store, 1, {9, 9, 9}, {1, 2, 4}).ok());
  EXPECT_EQ(PullRows(*store, 1, {9}, Absent::kZeros), std::vector<float>{0});  // step is 0 here
  const std::vector<float> at_first = PullRows(*store, 0, {9}, Absent::kCreate);
  ASSERT_TRUE(PushRows(*store, 0, {9, 9}, {1, 1, 1, 1, 2, 2, 2, 2}).ok());
  const std::vector<float> now = PullRows(*store, 0, {9}, Absent::kZeros);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_FLOAT_EQ(now[i], at_first[i] - 3) << i;
}

TEST(SlabStoreTest, EveryShardMustBeInExactlyOnePart) {
  const TestModel model;
  const auto four = Stores(model, 4);
  const std::vector<std::string> parts = Freeze(four);
  const Status absent = model.Store()->Restore(PartsOf({parts[0], parts[1], parts[3]}));
  EXPECT_EQ(absent.code(), StatusCode::kDataLoss);
  EXPECT_NE(absent.message().find("shard 128 is in no part"), std::string::npos);
  const Status twice =
      model.Store()->Restore(PartsOf({parts[0], parts[1], parts[2], parts[3], parts[1]}));
  EXPECT_EQ(twice.code(), StatusCode::kDataLoss);
  EXPECT_NE(twice.message().find("shard 64 is in two parts"), std::string::npos);
  EXPECT_EQ(model.Store()->Restore(PartsOf({})).code(), StatusCode::kDataLoss);
  // A ps needs the parts of its own shards only.
  EXPECT_TRUE(model.Store(jobspec::ShardsOfPs(3, 4))->Restore(PartsOf({parts[3]})).ok());
  // What the source of parts says is passed on.
  const Status passed = model.Store()->Restore(
      []() -> Result<std::optional<std::string>> { return UnavailableError("disk"); });
  EXPECT_EQ(passed.code(), StatusCode::kUnavailable);
}

TEST(SlabStoreTest, AnotherModelIsRefusedNamingBoth) {
  const TestModel saved;
  const auto refuse = [&saved](auto change) {
    TestModel ours;
    change(&ours.plan);
    const Status status = ours.Store()->Restore(PartsOf(Freeze(Stores(saved, 1))));
    EXPECT_EQ(status.code(), StatusCode::kFailedPrecondition);
    return status.message();
  };
  const auto names = [](const std::string& text, const char* a, const char* b) {
    return text.find(a) != std::string::npos && text.find(b) != std::string::npos;
  };
  using Plan = jobspec::ModelPlan;
  EXPECT_TRUE(names(refuse([](Plan* p) { p->tables[0].dim = 8; }), "dim 3 ", "dim 8 "));
  EXPECT_TRUE(names(refuse([](Plan* p) { p->tables[0].first_order = false; }), "with first-order",
                    "without first-order"));
  EXPECT_TRUE(names(refuse([](Plan* p) { p->tables[0].optimizer = "stepping"; }),
                    "optimizer summing", "optimizer stepping"));
  EXPECT_TRUE(names(refuse([](Plan* p) { p->tables[1].name = "user"; }), "row", "user"));
  EXPECT_TRUE(names(refuse([](Plan* p) { p->tables.pop_back(); }), "is 2 there", "1 in the job"));
  EXPECT_TRUE(names(refuse([](Plan* p) { p->dense[0].size = 7; }), "2600", "107"));
  EXPECT_TRUE(
      names(refuse([](Plan* p) { p->dense_optimizer = "summing"; }), "stepping", "summing"));
}

TEST(SlabStoreTest, AnUnknownOptimizerIsNamed) {
  TestModel model;
  model.plan.tables[0].optimizer = "nadam";
  const auto store = SlabStore::Create(model.plan, {0, 255}, {model.tables, model.dense});
  EXPECT_EQ(store.status().code(), StatusCode::kInvalidArgument);
  EXPECT_NE(store.status().message().find("nadam"), std::string::npos);
}

TEST(SlabStoreTest, StatisticsCountRowsAndMemory) {
  const TestModel model;
  const auto store = model.Store();
  PullRows(*store, 0, {1, 2, 3, 2}, Absent::kCreate);
  PullRows(*store, 1, {4}, Absent::kZeros);
  const StoreStatistics statistics = store->Statistics();
  ASSERT_EQ(statistics.tables.size(), 2U);
  EXPECT_EQ(statistics.tables[0].table, "movie");
  EXPECT_EQ(statistics.tables[0].entries, 3U);
  EXPECT_EQ(statistics.tables[1].entries, 0U);
  EXPECT_GT(statistics.bytes, 2600 * sizeof(float));
}

TEST(SlabStoreTest, EmptyBatchesAreFine) {
  const TestModel model;
  const auto store = model.Store();
  EXPECT_TRUE(PullRows(*store, 0, {}, Absent::kCreate).empty());
  EXPECT_TRUE(PushRows(*store, 0, {}, {}).ok());
  EXPECT_TRUE(store->Push({}, {}).ok());
}

}  // namespace
}  // namespace primus::embedding
