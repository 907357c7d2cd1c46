#include "plugins/runtimes/local/marked_processes.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstring>
#include <memory>
#include <string_view>

namespace primus::runtimes {
namespace {

struct CloseDirectory {
  void operator()(DIR* directory) const { ::closedir(directory); }
};

// Empty when it is not ours to read, gone, or a zombie.
std::string LoadEnvironment(pid_t pid) {
  const std::string path = "/proc/" + std::to_string(pid) + "/environ";
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return {};
  std::string text(1, '\0');  // so that each entry has a zero in front
  char buffer[4096];
  ssize_t size = 0;
  while ((size = ::read(fd, buffer, sizeof buffer)) > 0) {
    text.append(buffer, static_cast<std::size_t>(size));
  }
  ::close(fd);
  return text.size() > 1 ? text : std::string();
}

bool HasEntry(const std::string& environment, const std::string& entry) {
  std::string needle(1, '\0');
  needle += entry;
  needle.push_back('\0');
  return environment.find(needle) != std::string::npos;
}

bool Carries(pid_t pid, const std::vector<std::string>& entries) {
  const std::string environment = LoadEnvironment(pid);
  if (environment.empty()) return false;
  return std::all_of(entries.begin(), entries.end(),
                     [&](const std::string& entry) { return HasEntry(environment, entry); });
}

std::vector<pid_t> AllProcesses() {
  std::vector<pid_t> pids;
  const std::unique_ptr<DIR, CloseDirectory> proc(::opendir("/proc"));
  if (!proc) return pids;
  while (const dirent* entry = ::readdir(proc.get())) {
    const std::string_view name = entry->d_name;
    pid_t pid = 0;
    const auto parsed = std::from_chars(name.data(), name.data() + name.size(), pid);
    if (parsed.ec == std::errc() && parsed.ptr == name.data() + name.size()) pids.push_back(pid);
  }
  return pids;
}

// True once the process of `pidfd` has ended.
bool AwaitEnd(int pidfd, Duration limit) {
  pollfd ended{.fd = pidfd, .events = POLLIN, .revents = 0};
  const auto milliseconds = static_cast<int>(std::max<int64_t>(ToMilliseconds(limit), 0));
  return ::poll(&ended, 1, milliseconds) == 1;
}

}  // namespace

std::vector<pid_t> FindMarked(const std::vector<std::string>& entries) {
  std::vector<pid_t> found;
  for (const pid_t pid : AllProcesses()) {
    if (pid != ::getpid() && Carries(pid, entries)) found.push_back(pid);
  }
  return found;
}

bool KillMarked(const std::vector<std::string>& entries, Duration limit) {
  const auto end = std::chrono::steady_clock::now() + limit;
  while (true) {
    const std::vector<pid_t> found = FindMarked(entries);
    if (found.empty()) return true;
    std::vector<int> pidfds;
    for (const pid_t pid : found) {
      const auto pidfd = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
      // The pid may be another process by now; looking again after opening makes it sure.
      if (pidfd < 0) continue;
      pidfds.push_back(pidfd);
      if (Carries(pid, entries)) ::syscall(SYS_pidfd_send_signal, pidfd, SIGKILL, nullptr, 0);
    }
    bool all_ended = true;
    for (const int pidfd : pidfds) {
      all_ended = AwaitEnd(pidfd, end - std::chrono::steady_clock::now()) && all_ended;
      ::close(pidfd);
    }
    if (!all_ended || std::chrono::steady_clock::now() >= end) return false;
  }
}

}  // namespace primus::runtimes
