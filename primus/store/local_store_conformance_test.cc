#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "primus/store/blob_store_conformance.h"
#include "primus/store/local_store.h"

namespace primus::store {
namespace {

class LocalWorld final : public BlobStoreWorld {
 public:
  LocalWorld() : directory_(testing::TempDir() + "/primus-blobs-XXXXXX") {
    PRIMUS_CHECK(mkdtemp(directory_.data()) != nullptr, directory_);
    store_ = LocalStore::Open(directory_, OpenMode::kCreate).value();
  }
  ~LocalWorld() override { std::filesystem::remove_all(directory_); }
  BlobStore& store() override { return *store_; }
  std::unique_ptr<BlobStore> Reopen() override {
    return LocalStore::Open(directory_, OpenMode::kCreate).value();
  }

 private:
  std::string directory_;
  std::unique_ptr<LocalStore> store_;
};

std::unique_ptr<BlobStoreWorld> MakeLocalWorld() { return std::make_unique<LocalWorld>(); }

INSTANTIATE_TEST_SUITE_P(Local, BlobStoreConformance, testing::Values(&MakeLocalWorld));

}  // namespace
}  // namespace primus::store
