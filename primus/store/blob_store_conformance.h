// What every BlobStore does. An implementation's test instantiates it:
//
//   INSTANTIATE_TEST_SUITE_P(Local, BlobStoreConformance, testing::Values(&MakeLocalWorld));
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "primus/store/blob_store.h"

namespace primus::store {

// An empty store, and what it stands on.
class BlobStoreWorld {
 public:
  virtual ~BlobStoreWorld() = default;
  virtual BlobStore& store() = 0;
  // The same blobs seen by a process that starts now.
  virtual std::unique_ptr<BlobStore> Reopen() = 0;
};

using BlobStoreWorldMaker = std::unique_ptr<BlobStoreWorld> (*)();

class BlobStoreConformance : public testing::TestWithParam<BlobStoreWorldMaker> {
 protected:
  static std::vector<std::string> Names(BlobStore& store, std::string_view prefix) {
    std::vector<std::string> names;
    const auto blobs = store.List(prefix);
    EXPECT_TRUE(blobs.ok()) << blobs.status().ToString();
    if (!blobs.ok()) return names;
    for (const BlobInfo& blob : *blobs) names.push_back(blob.name);
    return names;
  }

  const std::unique_ptr<BlobStoreWorld> world_ = GetParam()();
  BlobStore& store_ = world_->store();
};

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(BlobStoreConformance);

TEST_P(BlobStoreConformance, WhatWasPutIsThereWhole) {
  const std::string bytes("a\0b\n", 4);
  ASSERT_TRUE(store_.PutIfAbsent("records/000000000001", bytes).ok());
  EXPECT_EQ(*store_.Get("records/000000000001"), bytes);
  EXPECT_EQ(*world_->Reopen()->Get("records/000000000001"), bytes);
}

TEST_P(BlobStoreConformance, EmptyBlobIsABlob) {
  ASSERT_TRUE(store_.PutIfAbsent("empty", "").ok());
  EXPECT_EQ(*store_.Get("empty"), "");
  EXPECT_EQ(*store_.GetRange("empty", 0, 0), "");
  EXPECT_EQ(Names(store_, ""), std::vector<std::string>{"empty"});
}

TEST_P(BlobStoreConformance, ATakenNameIsRefusedAndKeepsItsBytes) {
  ASSERT_TRUE(store_.PutIfAbsent("records/1", "first").ok());
  EXPECT_EQ(store_.PutIfAbsent("records/1", "second").code(), StatusCode::kAlreadyExists);
  EXPECT_EQ(world_->Reopen()->PutIfAbsent("records/1", "first").code(), StatusCode::kAlreadyExists);
  EXPECT_EQ(*store_.Get("records/1"), "first");
}

TEST_P(BlobStoreConformance, AbsentBlobIsNotFound) {
  EXPECT_EQ(store_.Get("nothing").status().code(), StatusCode::kNotFound);
  EXPECT_EQ(store_.Get("no/thing").status().code(), StatusCode::kNotFound);
  EXPECT_EQ(store_.GetRange("nothing", 0, 1).status().code(), StatusCode::kNotFound);
  ASSERT_TRUE(store_.PutIfAbsent("a/b", "x").ok());
  EXPECT_EQ(store_.Get("a").status().code(), StatusCode::kNotFound);
  EXPECT_EQ(store_.Get("a/b/c").status().code(), StatusCode::kNotFound);
}

TEST_P(BlobStoreConformance, RangesAreExactOrRefused) {
  ASSERT_TRUE(store_.PutIfAbsent("part", "0123456789").ok());
  EXPECT_EQ(*store_.GetRange("part", 0, 10), "0123456789");
  EXPECT_EQ(*store_.GetRange("part", 3, 4), "3456");
  EXPECT_EQ(*store_.GetRange("part", 10, 0), "");
  EXPECT_EQ(store_.GetRange("part", 9, 2).status().code(), StatusCode::kOutOfRange);
  EXPECT_EQ(store_.GetRange("part", 11, 0).status().code(), StatusCode::kOutOfRange);
  EXPECT_EQ(store_.GetRange("part", 1, ~uint64_t{0}).status().code(), StatusCode::kOutOfRange);
}

TEST_P(BlobStoreConformance, ListIsSortedAndKeepsToThePrefix) {
  for (const char* name : {"b/2", "b/10", "a", "b.x", "bb/1", "b/1/z"}) {
    ASSERT_TRUE(store_.PutIfAbsent(name, name).ok()) << name;
  }
  EXPECT_EQ(Names(store_, ""),
            (std::vector<std::string>{"a", "b.x", "b/1/z", "b/10", "b/2", "bb/1"}));
  EXPECT_EQ(Names(store_, "b/"), (std::vector<std::string>{"b/1/z", "b/10", "b/2"}));
  EXPECT_EQ(Names(store_, "b/1"), (std::vector<std::string>{"b/1/z", "b/10"}));
  EXPECT_TRUE(Names(store_, "c/").empty());
  EXPECT_EQ(store_.List("a")->front().size, 1U);
}

TEST_P(BlobStoreConformance, DeleteTwiceIsFine) {
  ASSERT_TRUE(store_.PutIfAbsent("parts/a/b", "x").ok());
  EXPECT_TRUE(store_.Delete("parts/a/b").ok());
  EXPECT_TRUE(store_.Delete("parts/a/b").ok());
  EXPECT_TRUE(store_.Delete("never/was").ok());
  EXPECT_EQ(store_.Get("parts/a/b").status().code(), StatusCode::kNotFound);
  EXPECT_TRUE(Names(store_, "").empty());
  EXPECT_TRUE(store_.PutIfAbsent("parts/a/b", "y").ok());
  EXPECT_EQ(*store_.Get("parts/a/b"), "y");
}

TEST_P(BlobStoreConformance, NamesThatLeaveTheStoreAreRefused) {
  for (const char* name :
       {"", "/a", "a/", "a//b", "../a", "a/../b", ".", ".tmp/x", "a b", "a\nb"}) {
    EXPECT_EQ(store_.PutIfAbsent(name, "x").code(), StatusCode::kInvalidArgument) << name;
    EXPECT_EQ(store_.Get(name).status().code(), StatusCode::kInvalidArgument) << name;
    EXPECT_EQ(store_.Delete(name).code(), StatusCode::kInvalidArgument) << name;
  }
  EXPECT_TRUE(Names(store_, "").empty());
}

}  // namespace primus::store
