#include "primus/node/watched_store.h"

#include <gtest/gtest.h>

#include "primus/api/memory_object_store.h"
#include "primus/api/object_store_conformance.h"

namespace primus::node {
namespace {

// A store on a disk that can be full.
class FullStore final : public api::ObjectStore {
 public:
  Result<api::Object> Get(std::string_view kind, std::string_view name) override {
    return store_.Get(kind, name);
  }
  Result<api::ObjectList> List(std::string_view kind) override { return store_.List(kind); }
  Result<api::ObjectList> Changes(std::string_view kind, uint64_t version) override {
    return store_.Changes(kind, version);
  }
  void OnChange(std::function<void()> observer) override { store_.OnChange(std::move(observer)); }
  Result<api::Object> Create(const api::Object& object) override {
    if (is_full) return ResourceExhaustedError("full");
    return store_.Create(object);
  }
  Result<api::Object> UpdateSpec(const api::Object& object) override {
    if (is_full) return ResourceExhaustedError("full");
    return store_.UpdateSpec(object);
  }
  Result<api::Object> UpdateStatus(const api::Object& object) override {
    if (is_full) return ResourceExhaustedError("full");
    return store_.UpdateStatus(object);
  }
  Status Delete(std::string_view kind, std::string_view name) override {
    if (is_full) return ResourceExhaustedError("full");
    return store_.Delete(kind, name);
  }

  bool is_full = false;

 private:
  api::MemoryObjectStore store_;
};

struct StoppedClock final : env::Clock {
  Now Get() const override { return {.monotonic = now, .wall = {}}; }
  Instant now{Seconds(1)};
};

class WatchedStoreTest : public testing::Test {
 protected:
  WatchedStoreTest() {
    watched_.OnLost([this](const Status& status) {
      ++lost_;
      EXPECT_EQ(status.code(), StatusCode::kResourceExhausted);
    });
  }
  void Write() {
    const Result<api::Object> now = watched_.Get("Job", "j");
    if (now.ok()) {
      api::Object next = *now;
      next.status += "x";
      (void)watched_.UpdateStatus(next);
    } else {
      (void)watched_.Create({.kind = "Job", .name = "j"});
    }
  }
  void Pass(Duration time) { clock_.now += time; }

  FullStore store_;
  StoppedClock clock_;
  WatchedStore watched_{store_, clock_};
  int lost_ = 0;
};

struct WatchedWorld {
  api::MemoryObjectStore store;
  StoppedClock clock;
};

api::StoreUnderTest MakeWatchedStore() {
  auto world = std::make_shared<WatchedWorld>();
  return {.world = world, .store = std::make_shared<WatchedStore>(world->store, world->clock)};
}

TEST_F(WatchedStoreTest, IsLostOnceWhenWritesKeepFailing) {
  Write();
  store_.is_full = true;
  Write();
  EXPECT_FALSE(watched_.last_failure().ok());
  Pass(kStoreTroubleMax - Milliseconds(1));
  Write();
  EXPECT_EQ(lost_, 0);
  Pass(Milliseconds(1));
  Write();
  Write();
  EXPECT_EQ(lost_, 1);
}

TEST_F(WatchedStoreTest, WriteThatGoesThroughEndsTheTrouble) {
  store_.is_full = true;
  Write();
  store_.is_full = false;
  Write();
  EXPECT_TRUE(watched_.last_failure().ok());
  store_.is_full = true;
  Pass(kStoreTroubleMax);
  Write();
  EXPECT_EQ(lost_, 0);
}

TEST_F(WatchedStoreTest, ConflictsAreNoTrouble) {
  Write();
  api::Object old = *watched_.Get("Job", "j");
  Write();
  old.status = "other";
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(watched_.UpdateStatus(old).status().code(), StatusCode::kAborted);
    Pass(kStoreTroubleMax);
  }
  EXPECT_EQ(lost_, 0);
  EXPECT_TRUE(watched_.last_failure().ok());
}

}  // namespace
}  // namespace primus::node

namespace primus::api {
INSTANTIATE_TEST_SUITE_P(Watched, ObjectStoreConformance, testing::Values(&node::MakeWatchedStore));
}  // namespace primus::api
