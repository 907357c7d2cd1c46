#include "primus/store/file.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace primus::store {
namespace {

constexpr std::size_t kTransferMax = std::size_t{1} << 30;  // of one read or write call
constexpr uint64_t kNamesTried = 100000;

std::string_view Cure(int error_number) {
  switch (error_number) {
    case ENOSPC:
      return "; free space there or choose another storage.uri";
    case EDQUOT:
      return "; raise the quota or choose another storage.uri";
    case EFBIG:
      return "; raise the limit on file sizes (ulimit -f)";
    case EACCES:
    case EPERM:
      return "; make it writable for this user or choose another storage.uri";
    case EROFS:
      return "; the file system is read-only, choose another storage.uri";
    default:
      return "";
  }
}

// Nobody swept the file between its creation and its lock.
bool StillLinked(int descriptor) {
  struct stat facts {};
  return fstat(descriptor, &facts) == 0 && facts.st_nlink > 0;
}

}  // namespace

File::~File() {
  if (descriptor_ >= 0) close(descriptor_);
}

Status FileError(std::string_view what, std::string_view path, int error_number) {
  const std::string text = "cannot " + std::string(what) + " " + std::string(path);
  const Status status = ErrnoError(text, error_number);
  const StatusCode code = error_number == EFBIG ? StatusCode::kResourceExhausted : status.code();
  return {code, status.message() + std::string(Cure(error_number))};
}

Result<File> CreateTemporary(const std::string& directory, std::string* path) {
  for (uint64_t number = 0; number < kNamesTried; ++number) {
    *path = directory + "/" + std::to_string(getpid()) + "-" + std::to_string(number);
    File file(open(path->c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
    if (file.descriptor() < 0 && errno == EEXIST) continue;
    if (file.descriptor() < 0) return FileError("create", *path, errno);
    if (flock(file.descriptor(), LOCK_EX) != 0) return FileError("lock", *path, errno);
    if (StillLinked(file.descriptor())) return file;
  }
  return ResourceExhaustedError("too many temporary files in " + directory);
}

void SweepTemporaries(const std::string& directory) {
  DIR* entries = opendir(directory.c_str());
  if (entries == nullptr) return;
  while (const dirent* entry = readdir(entries)) {
    const std::string path = directory + "/" + entry->d_name;
    const File file(open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOFOLLOW));
    // Directories, and files in the hands of a living writer, stay.
    if (file.descriptor() < 0 || flock(file.descriptor(), LOCK_EX | LOCK_NB) != 0) continue;
    unlink(path.c_str());
  }
  closedir(entries);
}

Status WriteAndSync(const File& file, const std::string& path, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = write(file.descriptor(), bytes.data(), std::min(bytes.size(), kTransferMax));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return FileError("write", path, errno);
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
  if (fsync(file.descriptor()) != 0) return FileError("sync", path, errno);
  return OkStatus();
}

Result<std::string> ReadExactly(const File& file, const std::string& path, uint64_t offset,
                                uint64_t size) {
  std::string bytes(size, '\0');
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t n =
        pread(file.descriptor(), bytes.data() + done, std::min(bytes.size() - done, kTransferMax),
              static_cast<off_t>(offset + done));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return FileError("read", path, errno);
    if (n == 0) return DataLossError("file shrank while it was read: " + path);
    done += static_cast<std::size_t>(n);
  }
  return bytes;
}

Result<File> OpenForReading(const std::string& path) {
  File file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.descriptor() < 0) return FileError("open", path, errno == ENOTDIR ? ENOENT : errno);
  return file;
}

Result<uint64_t> SizeOf(const File& file, const std::string& path) {
  struct stat facts {};
  if (fstat(file.descriptor(), &facts) != 0) return FileError("inspect", path, errno);
  if (!S_ISREG(facts.st_mode)) return NotFoundError("not a file: " + path);
  return static_cast<uint64_t>(facts.st_size);
}

Status SyncDirectory(const std::string& path) {
  const File directory(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.descriptor() < 0) return FileError("open", path, errno);
  if (fsync(directory.descriptor()) != 0) return FileError("sync", path, errno);
  return OkStatus();
}

}  // namespace primus::store
