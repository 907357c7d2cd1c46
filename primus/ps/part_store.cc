#include "primus/ps/part_store.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "primus/base/crc32c.h"

namespace primus::ps {
namespace {

constexpr std::string_view kCure =
    "; restore it from a copy of the job's storage, or start the job under another name";

bool Overlap(const jobspec::ShardRange& a, const jobspec::ShardRange& b) {
  return a.first <= b.last && b.first <= a.last;
}

// Errors after which nothing can have been written, and a second try would fail in the same way.
bool IsFinal(StatusCode code) {
  return code == StatusCode::kResourceExhausted || code == StatusCode::kPermissionDenied ||
         code == StatusCode::kInvalidArgument;
}

// Names are never used twice, so a name that is taken is our own earlier try, if its bytes agree.
Status PutExactly(store::BlobStore& blobs, const std::string& name, const std::string& bytes) {
  Status status = blobs.PutIfAbsent(name, bytes);
  if (!status.ok() && !IsFinal(status.code())) status = blobs.PutIfAbsent(name, bytes);
  if (status.code() != StatusCode::kAlreadyExists) return status;
  PRIMUS_ASSIGN(const std::string found, blobs.Get(name));
  if (found == bytes) return OkStatus();
  return DataLossError("another part has this name: " + name);
}

Result<std::string> GetChecked(store::BlobStore& blobs, const PartReference& part) {
  Result<std::string> bytes = blobs.Get(part.name);
  if (bytes.status().code() == StatusCode::kNotFound) {
    return DataLossError("the save point's part is not there: " + bytes.status().message());
  }
  if (!bytes.ok()) return bytes;
  if (bytes->size() != part.size) {
    return DataLossError("part " + part.name + " has " + std::to_string(bytes->size()) +
                         " bytes, its manifest says " + std::to_string(part.size) +
                         std::string(kCure));
  }
  if (Crc32c(*bytes) != part.crc32c) {
    return DataLossError("part " + part.name + " has another checksum than its manifest says" +
                         std::string(kCure));
  }
  return bytes;
}

}  // namespace

Result<WrittenPart> WritePart(store::BlobStore& blobs, WritePartWork work) {
  if (*work.abandoned) return CancelledError("the cut was dropped");
  const std::string bytes = work.frozen->EncodePart(work.origin);
  work.frozen.reset();
  if (*work.abandoned) return CancelledError("the cut was dropped");
  PRIMUS_TRY(PutExactly(blobs, work.name, bytes));
  return WrittenPart{.name = work.name, .size = bytes.size(), .crc32c = Crc32c(bytes)};
}

Result<std::unique_ptr<embedding::ShardStore>> LoadParts(store::BlobStore& blobs,
                                                         const LoadWork& work) {
  if (*work.abandoned) return CancelledError("another restore has begun");
  PRIMUS_ASSIGN(std::unique_ptr<embedding::ShardStore> loaded, work.new_store());
  if (work.parts.empty()) return loaded;
  std::size_t next = 0;
  PRIMUS_TRY(loaded->Restore([&]() -> Result<std::optional<std::string>> {
    if (*work.abandoned) return CancelledError("another restore has begun");
    while (next < work.parts.size() && !Overlap(work.parts[next].shards, work.shards)) ++next;
    if (next == work.parts.size()) return std::optional<std::string>();
    PRIMUS_ASSIGN(std::string bytes, GetChecked(blobs, work.parts[next++]));
    return std::optional<std::string>(std::move(bytes));
  }));
  return loaded;
}

}  // namespace primus::ps
