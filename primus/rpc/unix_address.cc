#include "primus/rpc/unix_address.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <utility>

namespace primus::rpc {
namespace {

constexpr std::string_view kScheme = "unix:";
static_assert(sizeof(sockaddr_un::sun_path) == kSocketPathBytesMax + 1);

std::string FolderOf(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

// 0, or the errno of connecting to `path`.
int TryConnect(const std::string& path) {
  const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return errno;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::ranges::copy(path, address.sun_path);
  const int result = ::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof(address));
  const int error = result == 0 ? 0 : errno;
  ::close(fd);
  return error;
}

}  // namespace

Result<std::string> SocketPath(const Address& address) {
  if (!address.starts_with(kScheme) || address.size() == kScheme.size()) {
    return InvalidArgumentError("not a unix:/path address: " + address);
  }
  std::string path = address.substr(kScheme.size());
  if (path.size() > kSocketPathBytesMax) {
    return InvalidArgumentError("socket path of " + std::to_string(path.size()) +
                                " bytes, at most " + std::to_string(kSocketPathBytesMax) +
                                " are possible: " + path);
  }
  return path;
}

Result<BindLock> BindLock::Take(const std::string& socket_path) {
  const std::string folder = FolderOf(socket_path);
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return ErrnoError("opening the folder of a socket: " + folder, errno);
  BindLock lock(fd);
  while (::flock(fd, LOCK_EX) != 0) {
    if (errno != EINTR) return ErrnoError("locking the folder of a socket: " + folder, errno);
  }
  return lock;
}

BindLock::~BindLock() {
  if (folder_ >= 0) ::close(folder_);
}

BindLock::BindLock(BindLock&& other) noexcept : folder_(std::exchange(other.folder_, -1)) {}

Status ClearStaleSocket(const std::string& path) {
  struct stat file {};
  if (::lstat(path.c_str(), &file) != 0) {
    return errno == ENOENT ? OkStatus() : ErrnoError("looking at socket " + path, errno);
  }
  if (!S_ISSOCK(file.st_mode)) return AlreadyExistsError("not a socket: " + path);
  if (const int error = TryConnect(path); error != ECONNREFUSED) {
    // A full queue (EAGAIN) has an owner, too.
    return AlreadyExistsError("somebody listens at unix:" + path + " already");
  }
  if (::unlink(path.c_str()) != 0) return ErrnoError("removing stale socket " + path, errno);
  return OkStatus();
}

}  // namespace primus::rpc
