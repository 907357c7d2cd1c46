#include "apps/primus/savepoint_commands.h"

#include <cstdio>
#include <filesystem>
#include <functional>
#include <iostream>
#include <memory>

#include "apps/primus/query_commands.h"
#include "primus/savepoint/text.h"
#include "primus/store/local_store.h"

namespace primus::apps {
namespace {

using Writer = std::function<Status(store::BlobStore&)>;

Result<std::string> StorageAt(const SavePointOptions& options) {
  const std::string& path = options.path;
  if (path.find('/') != std::string::npos) return path;
  Result<std::string> storage = StorageOfJob(path, options.work_directory);
  if (storage.ok()) return storage;
  if (std::filesystem::is_directory(path)) return path;
  return storage.status().WithContext(path + " is no directory and no job");
}

Status WriteFrom(const SavePointOptions& options, const Writer& write) {
  PRIMUS_ASSIGN(const std::string path, StorageAt(options));
  PRIMUS_ASSIGN(const std::unique_ptr<store::LocalStore> blobs,
                store::LocalStore::Open(path, store::OpenMode::kExisting));
  return write(*blobs).WithContext(path);
}

int Print(const SavePointOptions& options, const Writer& write) {
  const Status status = WriteFrom(options, write);
  if (status.ok()) return 0;
  std::fprintf(stderr, "primus: %s\n", status.message().c_str());
  const bool input =
      status.code() == StatusCode::kNotFound || status.code() == StatusCode::kInvalidArgument;
  return input ? 2 : 1;
}

}  // namespace

int ListSavePoints(const SavePointOptions& options) {
  return Print(options,
               [](store::BlobStore& blobs) { return savepoint::WriteList(blobs, std::cout); });
}

int InspectSavePoint(const SavePointOptions& options) {
  return Print(options, [&options](store::BlobStore& blobs) {
    return savepoint::WriteDescription(blobs, options.record, std::cout);
  });
}

int DumpSavePoint(const SavePointOptions& options) {
  return Print(options, [&options](store::BlobStore& blobs) {
    return savepoint::WriteTable(blobs, options.record, options.table, std::cout);
  });
}

}  // namespace primus::apps
