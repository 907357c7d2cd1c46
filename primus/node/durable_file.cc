#include "primus/node/durable_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>

#include "primus/base/result.h"

namespace primus::node {
namespace {

Status WriteAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t size = ::write(fd, bytes.data(), bytes.size());
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return ErrnoError("write", errno);
    bytes.remove_prefix(static_cast<std::size_t>(size));
  }
  return ::fsync(fd) == 0 ? OkStatus() : ErrnoError("fsync", errno);
}

Status SyncDirectory(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return ErrnoError("open " + path, errno);
  const bool synced = ::fsync(fd) == 0;
  const int error = errno;
  ::close(fd);
  return synced ? OkStatus() : ErrnoError("fsync " + path, error);
}

Status Replace(const std::string& path, std::string_view bytes) {
  const std::string part = path + ".part";
  const int fd = ::open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (fd < 0) return ErrnoError("open", errno);
  Status written = WriteAll(fd, bytes);
  ::close(fd);
  if (written.ok() && ::rename(part.c_str(), path.c_str()) != 0) {
    written = ErrnoError("rename", errno);
  }
  if (!written.ok()) ::unlink(part.c_str());
  return written;
}

}  // namespace

Status WriteDurably(const std::string& path, std::string_view bytes) {
  const std::string folder = std::filesystem::path(path).parent_path();
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return ErrnoError("cannot make the folder " + folder, error.value());
  PRIMUS_TRY(Replace(path, bytes).WithContext("cannot write " + path));
  return SyncDirectory(folder).WithContext("cannot write " + path);
}

}  // namespace primus::node
