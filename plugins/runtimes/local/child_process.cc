#include "plugins/runtimes/local/child_process.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <iterator>

namespace primus::runtimes {
namespace {

// What the child could not do, sent to the parent through a pipe that closes when exec succeeds.
enum class Step : int { kParentGone, kDirectory, kDescriptors, kReaper, kExec };

struct Failure {
  Step step;
  int error_number;
};

std::string_view NameOf(Step step) {
  switch (step) {
    case Step::kParentGone:
      return "the parent died";
    case Step::kDirectory:
      return "cannot change to the working directory";
    case Step::kDescriptors:
      return "cannot set up standard input and output";
    case Step::kReaper:
      return "cannot reach the reaper";
    case Step::kExec:
      return "cannot run the program";
  }
  return "cannot start";
}

// Between fork and exec other threads may hold any lock: only async-signal-safe calls, no memory.
struct ChildSide {
  const ChildOptions& options;
  char* const* argv;
  char* const* envp;
  pid_t parent;
  int failure_pipe;

  [[noreturn]] void Fail(Step step) const {
    const Failure failure{step, errno};
    [[maybe_unused]] const ssize_t sent = ::write(failure_pipe, &failure, sizeof failure);
    ::_exit(127);
  }

  void ResetSignals() const {
    struct sigaction defaults = {};
    defaults.sa_handler = SIG_DFL;
    for (int signal = 1; signal < NSIG; ++signal) ::sigaction(signal, &defaults, nullptr);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
  }

  void BindToParent() const {
    if (options.lifetime == Lifetime::kOutlivesParent) {
      ::setsid();
      return;
    }
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    // The parent may have died before the line above.
    if (::getppid() != parent) Fail(Step::kParentGone);
  }

  void SetDescriptors() const {
    const int input =
        options.standard_input >= 0 ? options.standard_input : ::open("/dev/null", O_RDONLY);
    const bool is_set = ::dup2(input, 0) >= 0 &&
                        (options.standard_output < 0 || ::dup2(options.standard_output, 1) >= 0) &&
                        (options.standard_error < 0 || ::dup2(options.standard_error, 2) >= 0);
    if (!is_set) Fail(Step::kDescriptors);
  }

  void Announce() const {
    if (options.reaper < 0) return;
    char text[24] = {'+'};
    const auto end = std::to_chars(text + 1, std::end(text), ::getpid()).ptr;
    const auto size = static_cast<size_t>(end - text);
    if (::send(options.reaper, text, size, MSG_NOSIGNAL) < 0) Fail(Step::kReaper);
  }

  [[noreturn]] void Run() const {
    ResetSignals();
    BindToParent();
    if (!options.working_directory.empty() && ::chdir(options.working_directory.c_str()) != 0) {
      Fail(Step::kDirectory);
    }
    SetDescriptors();
    Announce();
    unsigned first = 3;
    // The failure pipe has a higher number than 3: the parent saw to it.
    if (options.third >= 0) {
      if (::dup2(options.third, 3) < 0) Fail(Step::kDescriptors);
      ::fcntl(3, F_SETFD, 0);
      first = 4;
    }
    ::close_range(first, ~0U, CLOSE_RANGE_CLOEXEC);
    ::execvpe(argv[0], argv, envp);
    Fail(Step::kExec);
  }
};

std::vector<char*> Pointers(const std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  for (const std::string& string : strings) pointers.push_back(const_cast<char*>(string.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

// Blocks until exec has succeeded (end of file) or the child says why not.
Status AwaitExec(int failure_pipe, const ChildOptions& options) {
  Failure failure{};
  ssize_t size = 0;
  do {
    size = ::read(failure_pipe, &failure, sizeof failure);
  } while (size < 0 && errno == EINTR);
  if (size != static_cast<ssize_t>(sizeof failure)) return OkStatus();
  const std::string& subject =
      failure.step == Step::kDirectory ? options.working_directory : options.command[0];
  return ErrnoError(std::string(NameOf(failure.step)) + " " + subject, failure.error_number);
}

}  // namespace

Result<pid_t> StartChild(const ChildOptions& options) {
  if (options.command.empty()) return InvalidArgumentError("the command is empty");
  const std::vector<char*> argv = Pointers(options.command);
  const std::vector<char*> envp = Pointers(options.environment);
  int raw[2];
  if (::pipe2(raw, O_CLOEXEC) != 0) return ErrnoError("cannot start a process: pipe", errno);
  const int failure_pipe = ::fcntl(raw[1], F_DUPFD_CLOEXEC, 10);
  ::close(raw[1]);
  const ChildSide child{options, argv.data(), envp.data(), ::getpid(), failure_pipe};
  const pid_t pid = ::fork();
  if (pid == 0) child.Run();
  const int fork_error = errno;
  ::close(failure_pipe);
  if (pid < 0) {
    ::close(raw[0]);
    return ErrnoError("cannot start a process: fork", fork_error);
  }
  const Status started = AwaitExec(raw[0], options);
  ::close(raw[0]);
  if (!started.ok()) {
    ::waitpid(pid, nullptr, 0);
    return started;
  }
  return pid;
}

Exit DescribeExit(int wait_status) {
  if (!WIFSIGNALED(wait_status)) {
    const int code = WEXITSTATUS(wait_status);
    return {code, "exited with code " + std::to_string(code)};
  }
  const int signal = WTERMSIG(wait_status);
  const char* name = ::sigabbrev_np(signal);
  std::string reason = "killed by signal " + std::to_string(signal);
  if (name != nullptr) reason += " (SIG" + std::string(name) + ")";
  return {128 + signal, std::move(reason)};
}

}  // namespace primus::runtimes
