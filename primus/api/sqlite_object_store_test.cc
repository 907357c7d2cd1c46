#include "primus/api/sqlite_object_store.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "primus/api/sqlite_connection.h"

namespace primus::api {
namespace {

using Access = SqliteObjectStore::Access;

class SqliteObjectStoreTest : public testing::Test {
 protected:
  SqliteObjectStoreTest() {
    std::string pattern = (std::filesystem::temp_directory_path() / "primus-api-XXXXXX").string();
    directory_ = ::mkdtemp(pattern.data());
    path_ = directory_ + "/objects.db";
  }
  ~SqliteObjectStoreTest() override { std::filesystem::remove_all(directory_); }

  std::string directory_;
  std::string path_;
};

TEST_F(SqliteObjectStoreTest, ObjectsAndVersionsOutliveTheProcess) {
  uint64_t version = 0;
  {
    auto store = SqliteObjectStore::Open(path_, Access::kReadWrite);
    ASSERT_TRUE(store.ok()) << store.status().ToString();
    version = (*store)->Create({.kind = "Job", .name = "a", .spec = "s"})->resource_version;
    ASSERT_TRUE((*store)->Delete("Job", "a").ok());
  }
  auto store = SqliteObjectStore::Open(path_, Access::kReadWrite);
  ASSERT_TRUE(store.ok());
  EXPECT_GT((*store)->Create({.kind = "Job", .name = "b"})->resource_version, version + 1)
      << "a version is never given twice, not even that of a deletion";
}

TEST_F(SqliteObjectStoreTest, ReaderInAnotherConnectionFollows) {
  auto writer = SqliteObjectStore::Open(path_, Access::kReadWrite);
  ASSERT_TRUE(writer.ok());
  auto reader = SqliteObjectStore::Open(path_, Access::kReadOnly);
  ASSERT_TRUE(reader.ok()) << reader.status().ToString();
  const Object job = *(*writer)->Create({.kind = "Job", .name = "a"});
  EXPECT_EQ((*reader)->List("Job")->resource_version, job.resource_version);
  EXPECT_EQ(*(*reader)->Get("Job", "a"), job);
}

TEST_F(SqliteObjectStoreTest, MissingFileIsNotMadeByAReader) {
  EXPECT_FALSE(SqliteObjectStore::Open(path_, Access::kReadOnly).ok());
  EXPECT_FALSE(std::filesystem::exists(path_));
}

TEST_F(SqliteObjectStoreTest, CorruptFileIsNamed) {
  std::ofstream(path_) << std::string(8192, 'x');
  const auto store = SqliteObjectStore::Open(path_, Access::kReadWrite);
  EXPECT_EQ(store.status().code(), StatusCode::kDataLoss);
  EXPECT_NE(store.status().message().find(path_), std::string::npos);
}

TEST_F(SqliteObjectStoreTest, OtherSchemaIsRefusedWithBothVersions) {
  {
    auto db = SqliteConnection::Open(path_, SqliteConnection::Mode::kReadWriteCreate);
    ASSERT_TRUE(db->Run("CREATE TABLE objects (x); PRAGMA user_version = 99;").ok());
  }
  const auto store = SqliteObjectStore::Open(path_, Access::kReadWrite);
  EXPECT_EQ(store.status().code(), StatusCode::kFailedPrecondition);
  EXPECT_NE(store.status().message().find("99"), std::string::npos);
  EXPECT_NE(store.status().message().find(path_), std::string::npos);
}

TEST_F(SqliteObjectStoreTest, LockedFileIsNamedAndNothingIsHalfWritten) {
  auto store = SqliteObjectStore::Open(path_, Access::kReadWrite);
  ASSERT_TRUE(store.ok());
  Object job = *(*store)->Create({.kind = "Job", .name = "a"});
  auto other = SqliteConnection::Open(path_, SqliteConnection::Mode::kReadWriteCreate);
  ASSERT_TRUE(other->Run("BEGIN IMMEDIATE;").ok());
  job.status = "s";
  const Result<Object> refused = (*store)->UpdateStatus(job);
  EXPECT_EQ(refused.status().code(), StatusCode::kUnavailable);
  EXPECT_NE(refused.status().message().find(path_), std::string::npos);
  ASSERT_TRUE(other->Run("ROLLBACK;").ok());
  EXPECT_TRUE((*store)->UpdateStatus(job).ok());
}

}  // namespace
}  // namespace primus::api
