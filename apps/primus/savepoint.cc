#include "apps/primus/savepoint.h"

#include <filesystem>
#include <memory>

#include "primus/savepoint/record.h"
#include "primus/savepoint/text.h"
#include "primus/store/local_store.h"

namespace primus::apps {
namespace {

struct Place {
  std::unique_ptr<store::LocalStore> blobs;
  uint64_t number = 0;  // of the record; 0: the newest save point
};

Result<Place> Find(const std::string& path) {
  std::error_code ignored;
  std::filesystem::path root = path;
  uint64_t number = 0;
  if (std::filesystem::is_regular_file(root, ignored)) {
    const auto named = savepoint::RecordNumber("records/" + root.filename().string());
    if (!named || std::filesystem::absolute(root).parent_path().filename() != "records") {
      return InvalidArgumentError("neither a job's storage nor a record in it: " + path);
    }
    number = *named;
    root = std::filesystem::absolute(root).parent_path().parent_path();
  }
  PRIMUS_ASSIGN(auto blobs, store::LocalStore::Open(root, store::OpenMode::kExisting));
  return Place{.blobs = std::move(blobs), .number = number};
}

}  // namespace

Status ListSavePoints(const std::string& path, std::ostream& out) {
  PRIMUS_ASSIGN(const Place place, Find(path));
  return savepoint::WriteList(*place.blobs, out).WithContext(path);
}

Status InspectSavePoint(const std::string& path, std::ostream& out) {
  PRIMUS_ASSIGN(const Place place, Find(path));
  return savepoint::WriteDescription(*place.blobs, place.number, out).WithContext(path);
}

Status DumpTable(const std::string& path, const std::string& table, std::ostream& out) {
  PRIMUS_ASSIGN(const Place place, Find(path));
  return savepoint::WriteTable(*place.blobs, place.number, table, out).WithContext(path);
}

}  // namespace primus::apps
