#include "primus/store/local_store.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "primus/store/blob_name.h"
#include "primus/store/file.h"

namespace primus::store {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTemporary = "/.tmp";
constexpr int kPublishTries = 8;

// Makes `path` and what is missing above it; each new directory is durable in its parent.
Status MakeDirectories(const std::string& path) {
  if (mkdir(path.c_str(), 0755) == 0 || errno == EEXIST) {
    struct stat facts {};
    if (stat(path.c_str(), &facts) != 0) return FileError("inspect", path, errno);
    if (!S_ISDIR(facts.st_mode)) return FileError("use as a directory", path, ENOTDIR);
  } else if (errno == ENOENT && !fs::path(path).parent_path().empty()) {
    PRIMUS_TRY(MakeDirectories(fs::path(path).parent_path()));
    if (mkdir(path.c_str(), 0755) != 0 && errno != EEXIST) {
      return FileError("create", path, errno);
    }
  } else {
    return FileError("create", path, errno);
  }
  const fs::path parent = fs::path(path).parent_path();
  // A parent that we may not read was there before us, with this directory in it.
  const Status synced = SyncDirectory(parent.empty() ? "." : parent.string());
  return synced.code() == StatusCode::kPermissionDenied ? OkStatus() : synced;
}

// Adds the blobs in `directory` (a name, empty for the root) and below. What goes away while we
// look was deleted, and is left out.
Status Walk(const std::string& root, const std::string& directory, std::vector<BlobInfo>* blobs) {
  const std::string path = directory.empty() ? root : root + "/" + directory;
  std::error_code error;
  fs::directory_iterator it(path, error);
  const bool gone = error == std::errc::no_such_file_or_directory && !directory.empty();
  if (gone || error == std::errc::not_a_directory) return OkStatus();
  for (const fs::directory_iterator end; !error && it != end; it.increment(error)) {
    const std::string base = it->path().filename();
    if (base.front() == '.') continue;
    std::string name = directory.empty() ? base : directory + "/" + base;
    std::error_code ignored;
    if (it->is_directory(ignored)) {
      PRIMUS_TRY(Walk(root, name, blobs));
    } else if (it->is_regular_file(ignored)) {
      const uint64_t size = it->file_size(ignored);
      if (!ignored) blobs->push_back({std::move(name), size});
    }
  }
  return error ? FileError("list", path, error.value()) : OkStatus();
}

// Removes a file when it goes out of sight; what cannot be removed is swept later.
struct Unlinker {
  const std::string& path;
  ~Unlinker() { unlink(path.c_str()); }
};

std::string DirectoryOf(std::string_view name) {
  const std::size_t slash = name.rfind('/');
  return slash == std::string_view::npos ? std::string() : std::string(name.substr(0, slash));
}

}  // namespace

Result<std::unique_ptr<LocalStore>> LocalStore::Open(std::string root, OpenMode mode) {
  while (root.size() > 1 && root.back() == '/') root.pop_back();
  if (root.empty()) return InvalidArgumentError("a store needs a directory");
  if (mode == OpenMode::kExisting) {
    std::error_code error;
    if (!fs::is_directory(root, error)) return NotFoundError("no such directory: " + root);
    return std::unique_ptr<LocalStore>(new LocalStore(std::move(root), mode));
  }
  PRIMUS_TRY(MakeDirectories(root));
  PRIMUS_TRY(MakeDirectories(root + std::string(kTemporary)));
  std::unique_ptr<LocalStore> store(new LocalStore(std::move(root), mode));
  store->SweepLeftOvers();
  return store;
}

void LocalStore::SweepLeftOvers() const { SweepTemporaries(root_ + std::string(kTemporary)); }

Status LocalStore::PutIfAbsent(std::string_view name, std::string_view bytes) {
  PRIMUS_TRY(CheckBlobName(name));
  if (mode_ == OpenMode::kExisting) {
    return FailedPreconditionError("store was opened for reading: " + root_);
  }
  std::string temporary;
  PRIMUS_ASSIGN(const File file, CreateTemporary(root_ + std::string(kTemporary), &temporary));
  const Unlinker unlinker{temporary};
  PRIMUS_TRY(WriteAndSync(file, temporary, bytes).WithContext("storing", name));
  return Publish(temporary, name).WithContext("storing", name);
}

Status LocalStore::Publish(const std::string& temporary, std::string_view name) {
  const std::string path = PathOf(name);
  const std::string directory = fs::path(path).parent_path();
  for (int i = 0; i < kPublishTries; ++i) {
    PRIMUS_TRY(MakeParents(name));
    const int error = link(temporary.c_str(), path.c_str()) == 0 ? 0 : errno;
    if (error == ENOENT) continue;  // a Delete removed the empty directory in between
    if (error != 0 && error != EEXIST) return FileError("create", path, error);
    // Also when the name is taken: who acts on that must find it again after a power cut.
    const Status synced = SyncDirectory(directory);
    if (synced.code() == StatusCode::kNotFound && error == EEXIST) continue;
    PRIMUS_TRY(synced);
    if (error == EEXIST) return AlreadyExistsError("name is taken: " + path);
    return OkStatus();
  }
  return FileError("create", path, ENOENT);
}

Status LocalStore::MakeParents(std::string_view name) {
  for (std::size_t slash = name.find('/'); slash != std::string_view::npos;
       slash = name.find('/', slash + 1)) {
    const std::string path = PathOf(name.substr(0, slash));
    const bool made = mkdir(path.c_str(), 0755) == 0;
    if (!made && errno != EEXIST) return FileError("create", path, errno);
    const std::lock_guard lock(mutex_);
    if (!made && durable_.contains(path)) continue;
    PRIMUS_TRY(SyncDirectory(fs::path(path).parent_path()));
    durable_.insert(path);
  }
  return OkStatus();
}

Result<std::string> LocalStore::Get(std::string_view name) {
  PRIMUS_TRY(CheckBlobName(name));
  const std::string path = PathOf(name);
  PRIMUS_ASSIGN(const File file, OpenForReading(path));
  PRIMUS_ASSIGN(const uint64_t size, SizeOf(file, path));
  return ReadExactly(file, path, 0, size);
}

Result<std::string> LocalStore::GetRange(std::string_view name, uint64_t offset, uint64_t size) {
  PRIMUS_TRY(CheckBlobName(name));
  const std::string path = PathOf(name);
  PRIMUS_ASSIGN(const File file, OpenForReading(path));
  PRIMUS_ASSIGN(const uint64_t whole, SizeOf(file, path));
  if (offset > whole || size > whole - offset) {
    return OutOfRangeError("bytes [" + std::to_string(offset) + ", +" + std::to_string(size) +
                           ") of a blob of " + std::to_string(whole) + ": " + path);
  }
  return ReadExactly(file, path, offset, size);
}

Result<std::vector<BlobInfo>> LocalStore::List(std::string_view prefix) {
  const std::string top = DirectoryOf(prefix);
  if (!top.empty()) PRIMUS_TRY(CheckBlobName(top));
  std::vector<BlobInfo> blobs;
  PRIMUS_TRY(Walk(root_, top, &blobs));
  std::erase_if(blobs, [&](const BlobInfo& blob) { return !blob.name.starts_with(prefix); });
  std::sort(blobs.begin(), blobs.end(),
            [](const BlobInfo& a, const BlobInfo& b) { return a.name < b.name; });
  return blobs;
}

Status LocalStore::Delete(std::string_view name) {
  PRIMUS_TRY(CheckBlobName(name));
  const std::string path = PathOf(name);
  if (unlink(path.c_str()) != 0 && errno != ENOENT && errno != ENOTDIR) {
    return FileError("delete", path, errno);
  }
  RemoveEmptyParents(name);
  return OkStatus();
}

void LocalStore::RemoveEmptyParents(std::string_view name) {
  for (std::string parent = DirectoryOf(name); !parent.empty(); parent = DirectoryOf(parent)) {
    const std::string path = PathOf(parent);
    const std::lock_guard lock(mutex_);
    if (rmdir(path.c_str()) != 0) return;
    durable_.erase(path);
  }
}

}  // namespace primus::store
