// Blobs as files below one directory.
//
// A blob is written to `<root>/.tmp/<pid>-<number>`, synced, then linked to its name (which fails
// if the name is taken), and the directory is synced: so a name appears with all of its bytes or
// not at all, and stays. The writer holds a lock on its temporary file; those that nobody holds
// are left over from a death and swept when a store is opened for writing.
//
// Thread safe; several processes may share a root. Calls block on the disk.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "primus/store/blob_store.h"

namespace primus::store {

enum class OpenMode {
  kCreate,    // makes the root and sweeps left-overs
  kExisting,  // kNotFound if there is no root; writes nothing by itself, puts are refused
};

class LocalStore final : public BlobStore {
 public:
  // `root` is an absolute or relative path of a directory.
  static Result<std::unique_ptr<LocalStore>> Open(std::string root, OpenMode mode);

  Status PutIfAbsent(std::string_view name, std::string_view bytes) override;
  Result<std::string> Get(std::string_view name) override;
  Result<std::string> GetRange(std::string_view name, uint64_t offset, uint64_t size) override;
  Result<std::vector<BlobInfo>> List(std::string_view prefix) override;
  Status Delete(std::string_view name) override;

  const std::string& root() const { return root_; }

 private:
  LocalStore(std::string root, OpenMode mode) : root_(std::move(root)), mode_(mode) {}

  std::string PathOf(std::string_view name) const { return root_ + "/" + std::string(name); }
  void SweepLeftOvers() const;
  // Links a synced temporary file to `name` and syncs the directory.
  Status Publish(const std::string& temporary, std::string_view name);
  // Makes the directories above `name`, each durable in its parent.
  Status MakeParents(std::string_view name);
  void RemoveEmptyParents(std::string_view name);

  const std::string root_;
  const OpenMode mode_;
  std::mutex mutex_;
  std::set<std::string, std::less<>> durable_;  // directories known to be synced; under mutex_
};

}  // namespace primus::store
