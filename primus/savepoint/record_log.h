// The records of a job in its blob store: read, put with the outcome known for sure, and cleaned.
// Blocks; called on a ThreadPool thread, one call at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "primus/base/result.h"
#include "primus/store/blob_store.h"

namespace primus::wire {
class Record;
}

namespace primus::savepoint {

class RecordLog {
 public:
  explicit RecordLog(store::BlobStore& blobs) : blobs_(blobs) {}

  // All records, by number. kDataLoss names a record that is damaged, and the cure.
  Result<std::vector<wire::Record>> Load();

  enum class Outcome { kPut, kTaken };
  // Puts the record unless its number is taken (then `taken` says by what). An unknown outcome is
  // read back; an error means that the record is not there.
  Result<Outcome> Put(uint64_t number, std::string_view bytes, wire::Record* taken);

  // Deletes these records, and every part that `is_garbage` names.
  Status Clean(const std::vector<uint64_t>& numbers,
               const std::function<bool(std::string_view)>& is_garbage);

 private:
  store::BlobStore& blobs_;
};

}  // namespace primus::savepoint
