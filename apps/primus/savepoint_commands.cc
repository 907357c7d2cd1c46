#include "apps/primus/savepoint_commands.h"

#include <cstdio>
#include <functional>
#include <iostream>
#include <memory>

#include "primus/savepoint/text.h"
#include "primus/store/local_store.h"

namespace primus::apps {
namespace {

using Writer = std::function<Status(store::BlobStore&)>;

Status WriteFrom(const std::string& path, const Writer& write) {
  PRIMUS_ASSIGN(const std::unique_ptr<store::LocalStore> blobs,
                store::LocalStore::Open(path, store::OpenMode::kExisting));
  return write(*blobs).WithContext(path);
}

int Print(const std::string& path, const Writer& write) {
  const Status status = WriteFrom(path, write);
  if (status.ok()) return 0;
  std::fprintf(stderr, "primus: %s\n", status.message().c_str());
  const bool input =
      status.code() == StatusCode::kNotFound || status.code() == StatusCode::kInvalidArgument;
  return input ? 2 : 1;
}

}  // namespace

int ListSavePoints(const SavePointOptions& options) {
  return Print(options.path,
               [](store::BlobStore& blobs) { return savepoint::WriteList(blobs, std::cout); });
}

int InspectSavePoint(const SavePointOptions& options) {
  return Print(options.path, [&options](store::BlobStore& blobs) {
    return savepoint::WriteDescription(blobs, options.record, std::cout);
  });
}

int DumpSavePoint(const SavePointOptions& options) {
  return Print(options.path, [&options](store::BlobStore& blobs) {
    return savepoint::WriteTable(blobs, options.record, options.table, std::cout);
  });
}

}  // namespace primus::apps
