#include "apps/primus/work_directory.h"

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <utility>

namespace primus::apps {
namespace {

// A reaper has killed what its node left behind long before.
constexpr auto kReaperTimeMax = std::chrono::seconds(60);
constexpr int kLookAgainMilliseconds = 20;
constexpr int kDyingMilliseconds = 300;
// Leaves room for "/primus-4294967295/XXXXXX/1/<role>-<index>.<run>.<launch>.ring" in 107 bytes.
constexpr std::size_t kRuntimeDirectoryMax = 30;

std::string LockFile(const std::string& work) { return StateDirectory(work) + "/lock"; }

// A zombie counts as dead. Waits a while for the process to end, if it does.
bool IsAlive(pid_t pid, int wait_milliseconds) {
  const auto pidfd = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
  if (pidfd < 0) return errno != ESRCH && errno != EINVAL;
  pollfd ended{.fd = pidfd, .events = POLLIN, .revents = 0};
  const bool is_alive = ::poll(&ended, 1, wait_milliseconds) == 0;
  ::close(pidfd);
  return is_alive;
}

Status Taken(const WorkDirectory& directory, const LockHolder& holder) {
  return FailedPreconditionError("job " + holder.job + " runs in " + directory.path + " (pid " +
                                 std::to_string(holder.pid) + "): wait for its end, stop it with " +
                                 directory.Command("stop " + holder.job) +
                                 ", or use another --workdir");
}

Status CheckOwnDirectory(const std::string& path) {
  struct stat info = {};
  if (::lstat(path.c_str(), &info) != 0) return ErrnoError("cannot use " + path, errno);
  const bool is_ours = S_ISDIR(info.st_mode) && info.st_uid == ::geteuid();
  const bool is_private = (info.st_mode & 077) == 0;
  if (is_ours && is_private) return OkStatus();
  return {StatusCode::kPermissionDenied,
          path + " is not a folder of this user alone (0700): remove it, or set XDG_RUNTIME_DIR"};
}

std::string RuntimeBase() {
  const char* given = ::getenv("XDG_RUNTIME_DIR");
  const std::string base = given == nullptr ? "" : given;
  const bool is_usable = !base.empty() && base.front() == '/' &&
                         base.size() <= kRuntimeDirectoryMax && CheckOwnDirectory(base).ok();
  return is_usable ? base : "/tmp";
}

// A descriptor that holds the lock of `path`; -1 if it cannot be had.
int HoldLock(const std::string& path, int open_flags, int wait) {
  const int fd = ::open(path.c_str(), open_flags | O_CLOEXEC, 0600);
  if (fd >= 0 && ::flock(fd, LOCK_EX | wait) == 0) return fd;
  if (fd >= 0) ::close(fd);
  return -1;
}

// A run directory is in use while its maker holds the file "lock" in it.
void SweepRunDirectories(const std::string& own) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(own, error)) {
    const int fd = HoldLock(entry.path().string() + "/lock", O_RDWR, LOCK_NB);
    if (fd < 0) continue;
    std::filesystem::remove_all(entry.path(), error);
    ::close(fd);
  }
}

}  // namespace

std::string WorkDirectory::Command(const std::string& words) const {
  const std::string command = "`primus " + words;
  if (given == ".") return command + "`";
  const bool is_plain = given.find_first_of(" \t\n'\"\\$&;|<>()*?[]#~`!{}") == std::string::npos;
  return command + " --workdir " + (is_plain ? given : "'" + given + "'") + "`";
}

Result<WorkDirectory> FindWorkDirectory(const std::string& given) {
  std::error_code error;
  const std::filesystem::path found = std::filesystem::canonical(given, error);
  if (error == std::errc::no_such_file_or_directory) {
    return NotFoundError("there is no work directory " + given + ": make it first");
  }
  if (error) return ErrnoError("the work directory " + given, error.value());
  if (!std::filesystem::is_directory(found, error)) {
    return InvalidArgumentError("the work directory " + given + " is not a folder");
  }
  return WorkDirectory{.path = found.string(), .given = given};
}

Result<LockHolder> FindHolder(const std::string& work) {
  const Status nobody = NotFoundError("no job runs in " + work);
  const int fd = ::open(LockFile(work).c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return nobody;
  const bool is_free = ::flock(fd, LOCK_SH | LOCK_NB) == 0;
  ::close(fd);
  std::ifstream file(LockFile(work));
  LockHolder holder;
  if (is_free || !(file >> holder.pid >> holder.job) || !IsAlive(holder.pid, 0)) return nobody;
  file >> holder.address;
  return holder;
}

Result<WorkDirectoryLock> WorkDirectoryLock::Take(const WorkDirectory& directory,
                                                  const std::string& job) {
  const std::string& work = directory.path;
  const std::string state = StateDirectory(work);
  if (::mkdir(state.c_str(), 0700) != 0 && errno != EEXIST) {
    return ErrnoError("cannot make " + state + " (is the work directory writable?)", errno);
  }
  const int fd = ::open(LockFile(work).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) return ErrnoError("cannot open " + LockFile(work), errno);
  WorkDirectoryLock lock(fd);
  const auto end = std::chrono::steady_clock::now() + kReaperTimeMax;
  while (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return ErrnoError("cannot lock " + LockFile(work), errno);
    const Result<LockHolder> holder = FindHolder(work);
    // A node that was killed this very moment is given the time to die.
    if (holder.ok() && IsAlive(holder->pid, kDyingMilliseconds)) return Taken(directory, *holder);
    // Else the lock is in the hands of a reaper whose node is gone.
    if (std::chrono::steady_clock::now() >= end) {
      return UnavailableError("what the last node left in " + work + " is still running; see " +
                              NodeLogFile(work));
    }
    ::poll(nullptr, 0, kLookAgainMilliseconds);
  }
  std::ifstream file(LockFile(work));
  lock.before_.emplace(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  PRIMUS_TRY(lock.Describe({.pid = ::getpid(), .job = job}));
  return lock;
}

WorkDirectoryLock::~WorkDirectoryLock() {
  if (fd_ < 0) return;
  if (before_) static_cast<void>(Write(*before_));  // it only says who runs, and nobody does
  ::close(fd_);
}

WorkDirectoryLock::WorkDirectoryLock(WorkDirectoryLock&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), before_(std::exchange(other.before_, std::nullopt)) {}

Status WorkDirectoryLock::Describe(const LockHolder& holder) {
  return Write(std::to_string(holder.pid) + " " + holder.job + " " + holder.address + "\n");
}

Status WorkDirectoryLock::Write(const std::string& text) {
  const bool written = ::ftruncate(fd_, 0) == 0 && ::pwrite(fd_, text.data(), text.size(), 0) ==
                                                       static_cast<ssize_t>(text.size());
  return written ? OkStatus() : ErrnoError("cannot write the lock of the work directory", errno);
}

Result<std::string> MakeRunDirectory() {
  const std::string own = RuntimeBase() + "/primus-" + std::to_string(::geteuid());
  if (::mkdir(own.c_str(), 0700) != 0 && errno != EEXIST) {
    return ErrnoError("cannot make the run directory " + own, errno);
  }
  PRIMUS_TRY(CheckOwnDirectory(own));
  // One at a time, so that nobody sweeps a folder whose lock is not held yet.
  const int turn = HoldLock(own, O_RDONLY | O_DIRECTORY, 0);
  SweepRunDirectories(own);
  std::string pattern = own + "/XXXXXX";
  const bool made = ::mkdtemp(pattern.data()) != nullptr;
  const int error = errno;
  if (made) HoldLock(pattern + "/lock", O_RDWR | O_CREAT, LOCK_NB);  // until this process ends
  if (turn >= 0) ::close(turn);
  if (!made) return ErrnoError("cannot make a run directory in " + own, error);
  return pattern;
}

}  // namespace primus::apps
