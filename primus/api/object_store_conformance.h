// The suite of the object-store seam. An implementation's test says
//   INSTANTIATE_TEST_SUITE_P(Sqlite, ObjectStoreConformance, testing::Values(&MakeStore));
#pragma once

#include <gtest/gtest.h>

#include <memory>

#include "primus/api/object_store.h"

namespace primus::api {

// An empty store, and whatever must live as long.
struct StoreUnderTest {
  std::shared_ptr<void> world{};
  std::shared_ptr<ObjectStore> store{};
};

class ObjectStoreConformance : public testing::TestWithParam<StoreUnderTest (*)()> {
 protected:
  StoreUnderTest under_test_ = GetParam()();
  ObjectStore& store_ = *under_test_.store;

  static Object Job(std::string name, std::string spec) {
    return Object{.kind = "Job",
                  .name = std::move(name),
                  .spec = std::move(spec),
                  .created = WallTime(Seconds(7))};
  }
  static std::string Names(const ObjectList& list) {
    std::string names;
    for (const Object& object : list.objects) names += object.name + (object.deleted ? "- " : " ");
    return names;
  }
};

TEST_P(ObjectStoreConformance, CreatedObjectIsReadBackWhole) {
  Object job = Job("a", std::string("spec\0bytes", 10));
  job.status = "status";
  const Result<Object> created = store_.Create(job);
  ASSERT_TRUE(created.ok()) << created.status().ToString();
  EXPECT_EQ(created->generation, 1u);
  EXPECT_GT(created->resource_version, 0u);
  const Result<Object> read = store_.Get("Job", "a");
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(*read, *created);
  EXPECT_EQ(read->spec.size(), 10u);
  EXPECT_EQ(read->created, WallTime(Seconds(7)));
}

TEST_P(ObjectStoreConformance, UnknownNamesAndKindsAreNotFound) {
  ASSERT_TRUE(store_.Create(Job("a", "")).ok());
  EXPECT_EQ(store_.Get("Job", "b").status().code(), StatusCode::kNotFound);
  EXPECT_EQ(store_.Get("Role", "a").status().code(), StatusCode::kNotFound);
  EXPECT_EQ(store_.UpdateSpec(Job("b", "")).status().code(), StatusCode::kNotFound);
}

TEST_P(ObjectStoreConformance, TakenNameIsRefusedAndARetryIsNot) {
  const Object job = Job("a", "1");
  const Result<Object> created = store_.Create(job);
  ASSERT_TRUE(created.ok());
  const Result<Object> again = store_.Create(job);
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(*again, *created);
  EXPECT_EQ(store_.Create(Job("a", "2")).status().code(), StatusCode::kAlreadyExists);
  EXPECT_EQ(store_.Get("Job", "a")->spec, "1");
}

TEST_P(ObjectStoreConformance, SpecTakesAGenerationAndStatusDoesNot) {
  Object job = *store_.Create(Job("a", "1"));
  job.spec = "2";
  Result<Object> updated = store_.UpdateSpec(job);
  ASSERT_TRUE(updated.ok());
  EXPECT_EQ(updated->generation, 2u);
  EXPECT_GT(updated->resource_version, job.resource_version);
  updated->status = "running";
  const Result<Object> with_status = store_.UpdateStatus(*updated);
  ASSERT_TRUE(with_status.ok());
  EXPECT_EQ(with_status->generation, 2u);
  EXPECT_EQ(with_status->spec, "2");
  EXPECT_EQ(with_status->status, "running");
}

TEST_P(ObjectStoreConformance, AnUpdateWritesItsOwnPartOnly) {
  Object job = *store_.Create(Job("a", "1"));
  job.spec = "not to be written";
  job.status = "s";
  const Result<Object> updated = store_.UpdateStatus(job);
  ASSERT_TRUE(updated.ok());
  EXPECT_EQ(updated->spec, "1");
}

TEST_P(ObjectStoreConformance, OldVersionConflicts) {
  const Object read = *store_.Create(Job("a", "1"));
  Object first = read;
  first.status = "first";
  ASSERT_TRUE(store_.UpdateStatus(first).ok());
  Object second = read;
  second.status = "second";
  const Result<Object> refused = store_.UpdateStatus(second);
  EXPECT_EQ(refused.status().code(), StatusCode::kAborted);
  EXPECT_EQ(store_.Get("Job", "a")->status, "first");
}

TEST_P(ObjectStoreConformance, RepeatedUpdateIsARetry) {
  Object job = *store_.Create(Job("a", "1"));
  job.status = "s";
  const Result<Object> once = store_.UpdateStatus(job);
  const Result<Object> twice = store_.UpdateStatus(job);
  ASSERT_TRUE(once.ok() && twice.ok());
  EXPECT_EQ(*once, *twice);
}

TEST_P(ObjectStoreConformance, UpdateWithoutADifferenceTakesNoVersion) {
  const Object job = *store_.Create(Job("a", "1"));
  const Result<Object> same = store_.UpdateSpec(job);
  ASSERT_TRUE(same.ok());
  EXPECT_EQ(*same, job);
}

TEST_P(ObjectStoreConformance, ListIsByNameAndByKind) {
  ASSERT_TRUE(store_.Create(Job("b", "")).ok());
  ASSERT_TRUE(store_.Create(Job("a", "")).ok());
  Object role = Job("c", "");
  role.kind = "Role";
  ASSERT_TRUE(store_.Create(role).ok());
  const Result<ObjectList> list = store_.List("Job");
  ASSERT_TRUE(list.ok());
  EXPECT_EQ(Names(*list), "a b ");
  EXPECT_EQ(list->resource_version, store_.Get("Role", "c")->resource_version);
}

TEST_P(ObjectStoreConformance, DeletedNameIsFreeAgainWithANewerVersion) {
  const Object job = *store_.Create(Job("a", "1"));
  ASSERT_TRUE(store_.Delete("Job", "a").ok());
  ASSERT_TRUE(store_.Delete("Job", "a").ok()) << "a retry";
  EXPECT_EQ(store_.Get("Job", "a").status().code(), StatusCode::kNotFound);
  EXPECT_TRUE(store_.List("Job")->objects.empty());
  const Result<Object> anew = store_.Create(Job("a", "1"));
  ASSERT_TRUE(anew.ok());
  EXPECT_EQ(anew->generation, 1u);
  EXPECT_GT(anew->resource_version, job.resource_version + 1) << "the deletion took one";
}

TEST_P(ObjectStoreConformance, ChangesAfterAVersionAreInOrderAndNameTheDeleted) {
  ASSERT_TRUE(store_.Create(Job("a", "1")).ok());
  const Object b = *store_.Create(Job("b", "1"));
  const uint64_t seen = store_.List("Job")->resource_version;
  EXPECT_TRUE(store_.Changes("Job", seen)->objects.empty());
  Object changed = b;
  changed.spec = "2";
  ASSERT_TRUE(store_.UpdateSpec(changed).ok());
  ASSERT_TRUE(store_.Delete("Job", "a").ok());
  const Result<ObjectList> changes = store_.Changes("Job", seen);
  ASSERT_TRUE(changes.ok());
  EXPECT_EQ(Names(*changes), "b a- ");
  EXPECT_TRUE(store_.Changes("Job", changes->resource_version)->objects.empty());
}

TEST_P(ObjectStoreConformance, ObserverHearsOfChangesOnly) {
  int calls = 0;
  store_.OnChange([&calls] { ++calls; });
  Object job = *store_.Create(Job("a", "1"));
  EXPECT_EQ(calls, 1);
  job.status = "s";
  ASSERT_TRUE(store_.UpdateStatus(job).ok());
  ASSERT_TRUE(store_.UpdateStatus(job).ok());
  EXPECT_EQ(calls, 2) << "the second is a retry";
  ASSERT_TRUE(store_.Delete("Job", "a").ok());
  EXPECT_EQ(calls, 3);
}

}  // namespace primus::api
