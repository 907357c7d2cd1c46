#include "primus/api/object_store_conformance.h"

#include <stdlib.h>

#include <filesystem>
#include <memory>
#include <string>

#include "primus/api/memory_object_store.h"
#include "primus/api/sqlite_object_store.h"

namespace primus::api {
namespace {

// A directory of this test, removed with it.
struct Directory {
  Directory() {
    std::string pattern = (std::filesystem::temp_directory_path() / "primus-api-XXXXXX").string();
    path = ::mkdtemp(pattern.data());
  }
  ~Directory() { std::filesystem::remove_all(path); }
  std::string path;
};

StoreUnderTest MakeMemoryStore() { return {.store = std::make_shared<MemoryObjectStore>()}; }

StoreUnderTest MakeSqliteStore() {
  auto directory = std::make_shared<Directory>();
  auto store = SqliteObjectStore::Open(directory->path + "/objects.db",
                                       SqliteObjectStore::Access::kReadWrite);
  return {.world = directory, .store = std::move(store).value()};
}

INSTANTIATE_TEST_SUITE_P(Memory, ObjectStoreConformance, testing::Values(&MakeMemoryStore));
INSTANTIATE_TEST_SUITE_P(Sqlite, ObjectStoreConformance, testing::Values(&MakeSqliteStore));

}  // namespace
}  // namespace primus::api
