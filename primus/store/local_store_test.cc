#include "primus/store/local_store.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <vector>

namespace primus::store {
namespace {

namespace fs = std::filesystem;

class LocalStoreTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "/primus-store-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    directory_ = pattern;
  }
  void TearDown() override { fs::remove_all(directory_); }

  std::string root() const { return directory_ + "/runs/job"; }
  std::unique_ptr<LocalStore> Open() const {
    return LocalStore::Open(root(), OpenMode::kCreate).value();
  }
  std::size_t Temporaries() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(root() + "/.tmp"), fs::directory_iterator()));
  }

  std::string directory_;
};

// Files of this process cannot grow beyond a size: what a full disk does to a writer, at any byte.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    former_handler_ = std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &former_);
    const rlimit limit{bytes, former_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &former_);
    std::signal(SIGXFSZ, former_handler_);
  }

 private:
  rlimit former_{};
  void (*former_handler_)(int) = nullptr;
};

// Root may write anywhere, so a test of permissions becomes somebody else for a while.
class Unprivileged {
 public:
  Unprivileged() {
    if (was_root_) PRIMUS_CHECK(seteuid(65534) == 0, "seteuid");
  }
  ~Unprivileged() {
    if (was_root_) PRIMUS_CHECK(seteuid(0) == 0, "seteuid");
  }

 private:
  const bool was_root_ = geteuid() == 0;
};

TEST_F(LocalStoreTest, FullDiskAtAnyByteLeavesNothingAndSaysWhere) {
  const auto store = Open();
  const std::string bytes(3000, 'x');
  for (rlim_t room = 0; room < bytes.size(); room += 375) {
    const FileSizeLimit limit(room);
    const Status status = store->PutIfAbsent("parts/p", bytes);
    EXPECT_EQ(status.code(), StatusCode::kResourceExhausted);
    EXPECT_NE(status.message().find(root()), std::string::npos) << status.message();
    EXPECT_NE(status.message().find("raise the limit"), std::string::npos) << status.message();
    EXPECT_TRUE(store->List("")->empty());
    EXPECT_EQ(Temporaries(), 0U);
  }
  ASSERT_TRUE(store->PutIfAbsent("parts/p", bytes).ok());
  EXPECT_EQ(*store->Get("parts/p"), bytes);
}

TEST_F(LocalStoreTest, UnwritableDirectoryIsRefusedWithPlaceAndCure) {
  Open();
  ASSERT_EQ(chmod(directory_.c_str(), 0755), 0);
  for (const std::string& path : {root(), root() + "/.tmp"}) {
    ASSERT_EQ(chmod(path.c_str(), 0555), 0);
  }
  const Unprivileged unprivileged;
  const Status absent = LocalStore::Open(root() + "/new", OpenMode::kCreate).status();
  EXPECT_EQ(absent.code(), StatusCode::kPermissionDenied);
  EXPECT_NE(absent.message().find(root() + "/new"), std::string::npos) << absent.message();
  const auto store = LocalStore::Open(root(), OpenMode::kCreate);
  ASSERT_TRUE(store.ok()) << store.status().ToString();
  const Status put = (*store)->PutIfAbsent("a", "x");
  EXPECT_EQ(put.code(), StatusCode::kPermissionDenied);
  EXPECT_NE(put.message().find(root()), std::string::npos) << put.message();
  EXPECT_NE(put.message().find("make it writable"), std::string::npos) << put.message();
}

TEST_F(LocalStoreTest, LeftOversOfTheDeadAreSweptAndThoseOfTheLivingStay) {
  Open();
  const std::string dead = root() + "/.tmp/999999-0";
  const std::string living = root() + "/.tmp/999999-1";
  std::ofstream(dead) << "half a part";
  const int writer = open(living.c_str(), O_WRONLY | O_CREAT, 0644);
  ASSERT_EQ(flock(writer, LOCK_EX), 0);
  const auto store = Open();
  EXPECT_FALSE(fs::exists(dead));
  EXPECT_TRUE(fs::exists(living));
  EXPECT_TRUE(store->List("")->empty());
  close(writer);
}

TEST_F(LocalStoreTest, ReadingAStoreChangesNothing) {
  EXPECT_EQ(LocalStore::Open(root(), OpenMode::kExisting).status().code(), StatusCode::kNotFound);
  EXPECT_FALSE(fs::exists(directory_ + "/runs"));
  ASSERT_TRUE(Open()->PutIfAbsent("a", "x").ok());
  const auto reader = LocalStore::Open(root() + "/", OpenMode::kExisting).value();
  EXPECT_EQ(*reader->Get("a"), "x");
  EXPECT_EQ(reader->PutIfAbsent("b", "x").code(), StatusCode::kFailedPrecondition);
}

TEST_F(LocalStoreTest, AFileInThePlaceOfADirectoryIsNamed) {
  std::ofstream(directory_ + "/runs") << "a file";
  const Status status = LocalStore::Open(root(), OpenMode::kCreate).status();
  EXPECT_FALSE(status.ok());
  EXPECT_NE(status.message().find(directory_ + "/runs"), std::string::npos) << status.message();
}

// What one of several processes does with a store; the number of names that it won, or 255.
int PutAndDelete(LocalStore& store, int writer) {
  int won = 0;
  for (int i = 0; i < 20; ++i) {
    const Status put = store.PutIfAbsent("records/" + std::to_string(i), std::to_string(writer));
    if (!put.ok() && put.code() != StatusCode::kAlreadyExists) return 255;
    won += put.ok() ? 1 : 0;
    // Deletes beside it remove the directory again and again.
    if (!store.PutIfAbsent("d/" + std::to_string(writer), "x").ok()) return 255;
    if (!store.Delete("d/" + std::to_string(writer)).ok()) return 255;
  }
  return won;
}

TEST_F(LocalStoreTest, OneOfManyProcessesWinsEachName) {
  Open();
  std::vector<pid_t> writers;
  for (int w = 0; w < 4; ++w) {
    const pid_t child = fork();
    if (child == 0) _exit(PutAndDelete(*Open(), w));
    writers.push_back(child);
  }
  int won = 0;
  for (const pid_t writer : writers) {
    int status = 0;
    ASSERT_EQ(waitpid(writer, &status, 0), writer);
    ASSERT_TRUE(WIFEXITED(status));
    ASSERT_NE(WEXITSTATUS(status), 255);
    won += WEXITSTATUS(status);
  }
  EXPECT_EQ(won, 20);
  EXPECT_EQ(Open()->List("records/")->size(), 20U);
  EXPECT_TRUE(Open()->List("d/")->empty());
  EXPECT_EQ(Temporaries(), 0U);
}

}  // namespace
}  // namespace primus::store
