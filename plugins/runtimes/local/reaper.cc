#include "plugins/runtimes/local/reaper.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <filesystem>
#include <set>
#include <string_view>
#include <system_error>

#include "plugins/runtimes/local/marked_processes.h"

namespace primus::runtimes {
namespace {

// Long enough for a process that writes out its memory; after that it is stuck in the kernel.
constexpr Duration kDeathTimeMax = Seconds(30);

// Follows the node's announcements until it ends.
std::set<pid_t> FollowGroups() {
  std::set<pid_t> groups;
  char buffer[64];
  while (true) {
    const ssize_t size = ::recv(STDIN_FILENO, buffer, sizeof buffer, 0);
    if (size < 0 && errno == EINTR) continue;
    if (size <= 0) return groups;
    const std::string_view text(buffer, static_cast<std::size_t>(size));
    pid_t group = 0;
    std::from_chars(text.data() + 1, text.data() + text.size(), group);
    if (group <= 1) continue;
    if (text.front() == '+') groups.insert(group);
    if (text.front() == '-') groups.erase(group);
  }
}

}  // namespace

int RunReaper(const ReaperOptions& options) {
  // Whatever a terminal or an operator sends to the node's family is not for the one who cleans up.
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE}) ::signal(signal, SIG_IGN);
  ::prctl(PR_SET_NAME, "primus-reaper");
  const std::set<pid_t> groups = FollowGroups();
  for (const pid_t group : groups) ::kill(-group, SIGKILL);
  const bool is_clean = options.mark.empty() || KillMarked({options.mark}, kDeathTimeMax);
  std::error_code ignored;  // nobody is left to be told
  if (!options.run_directory.empty()) std::filesystem::remove_all(options.run_directory, ignored);
  return is_clean ? 0 : 1;
}

}  // namespace primus::runtimes
