// Durable blobs by name: save-point records, checkpoint parts, planned windows.
//
// Names are relative paths ("records/000012"). A blob is there whole or not at all: readers never
// see a torn one, whatever dies while it is written. Calls block; shells make them in a
// ThreadPool. Implementations: local (local_store.h) and the simulator's; both pass
// blob_store_conformance.h. Any thread may call any method.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "primus/base/result.h"

namespace primus::store {

struct BlobInfo {
  std::string name;
  uint64_t size = 0;
};

class BlobStore {
 public:
  virtual ~BlobStore() = default;
  // Durable when it returns OK. kAlreadyExists, and nothing changed, if the name is taken. After
  // any other error the outcome is unknown until it is read back.
  virtual Status PutIfAbsent(std::string_view name, std::string_view bytes) = 0;
  // The whole blob; kNotFound if there is none.
  virtual Result<std::string> Get(std::string_view name) = 0;
  // `size` bytes from `offset`; kOutOfRange if the blob is shorter.
  virtual Result<std::string> GetRange(std::string_view name, uint64_t offset, uint64_t size) = 0;
  // All blobs whose name starts with `prefix`, sorted by name.
  virtual Result<std::vector<BlobInfo>> List(std::string_view prefix) = 0;
  // OK also when there was none.
  virtual Status Delete(std::string_view name) = 0;
};

}  // namespace primus::store
