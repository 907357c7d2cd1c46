#include "plugins/runtimes/local/local_runtime.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>
#include <system_error>
#include <utility>

#include "plugins/runtimes/local/child_process.h"
#include "plugins/runtimes/local/marked_processes.h"
#include "primus/base/check.h"
#include "primus/runtime/log_name.h"

namespace primus::runtimes {
namespace {

constexpr Duration kDeathTimeMax = Seconds(30);

class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  ~Descriptor() { Reset(-1); }
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    Reset(std::exchange(other.fd_, -1));
    return *this;
  }
  int get() const { return fd_; }

 private:
  void Reset(int fd) {
    if (fd_ >= 0) ::close(fd_);
    fd_ = fd;
  }
  int fd_;
};

Result<Descriptor> OpenLog(const std::string& path) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (file.get() < 0) return ErrnoError("cannot write the log " + path, errno);
  return file;
}

// Ours, overlaid with the container's.
std::vector<std::string> MakeEnvironment(const std::map<std::string, std::string>& overlay) {
  std::vector<std::string> entries;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::string name(text.substr(0, text.find('=')));
    if (!overlay.contains(name)) entries.emplace_back(text);
  }
  for (const auto& [name, value] : overlay) entries.push_back(name + "=" + value);
  return entries;
}

}  // namespace

struct LocalRuntime::State {
  struct Container {
    runtime::ContainerStatus status;
    pid_t pid = 0;
    env::TimerId kill_timer = 0;
  };

  State(env::AsioLoop& loop_in, telemetry::Logger& log_in, LocalRuntimeOptions options_in)
      : loop(loop_in), log(log_in), options(std::move(options_in)) {}

  std::string Mark() const { return "PRIMUS_NODE=" + options.mark; }
  static std::string Mark(const runtime::ContainerId& id) { return "PRIMUS_CONTAINER=" + id; }

  Status StartReaper();
  void Announce(char sign, pid_t group) const;
  Result<pid_t> Start(const runtime::ContainerSpec& spec);
  void Kill(Container& container);
  void OnChildren();
  void OnExit(Container& container);
  Container* FindByPid(pid_t pid);
  void KillAll();

  env::AsioLoop& loop;
  telemetry::Logger& log;
  LocalRuntimeOptions options;
  std::map<runtime::ContainerId, Container> containers;
  std::set<runtime::ContainerId> used;
  std::function<void()> observer;
  Descriptor reaper_socket;
  pid_t reaper = 0;
};

Status LocalRuntime::State::StartReaper() {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
    return ErrnoError("cannot start the reaper: socketpair", errno);
  }
  reaper_socket = Descriptor(ends[0]);
  const Descriptor input(ends[1]);
  std::vector<std::string> command = options.reaper;
  command.insert(command.end(), {"--mark", Mark(), "--run-directory", options.run_directory});
  PRIMUS_ASSIGN(reaper, StartChild({.command = std::move(command),
                                    .environment = MakeEnvironment({}),
                                    .working_directory = "/",
                                    .standard_input = input.get(),
                                    .third = options.work_directory_lock,
                                    .lifetime = Lifetime::kOutlivesParent}));
  for (const auto& [id, container] : containers) {
    if (container.pid > 0) Announce('+', container.pid);
  }
  return OkStatus();
}

void LocalRuntime::State::Announce(char sign, pid_t group) const {
  const std::string text = sign + std::to_string(group);
  // A reaper that is gone is started anew when its death is seen, and then told everything.
  [[maybe_unused]] const ssize_t sent =
      ::send(reaper_socket.get(), text.data(), text.size(), MSG_NOSIGNAL);
}

Result<pid_t> LocalRuntime::State::Start(const runtime::ContainerSpec& spec) {
  std::error_code error;
  std::filesystem::create_directories(spec.log_directory, error);
  if (error) return ErrnoError("cannot make the log folder " + spec.log_directory, error.value());
  const std::string name = spec.log_directory + "/" + runtime::LogName(spec.id);
  PRIMUS_ASSIGN(const Descriptor out, OpenLog(name + ".out"));
  PRIMUS_ASSIGN(const Descriptor err, OpenLog(name + ".err"));
  std::map<std::string, std::string> overlay = spec.environment;
  overlay["PRIMUS_NODE"] = options.mark;
  overlay["PRIMUS_CONTAINER"] = spec.id;
  return StartChild({.command = spec.command,
                     .environment = MakeEnvironment(overlay),
                     .working_directory = spec.working_directory,
                     .standard_output = out.get(),
                     .standard_error = err.get(),
                     .reaper = reaper_socket.get()});
}

LocalRuntime::State::Container* LocalRuntime::State::FindByPid(pid_t pid) {
  for (auto& [id, container] : containers) {
    if (container.pid == pid) return &container;
  }
  return nullptr;
}

void LocalRuntime::State::Kill(Container& container) {
  if (container.pid > 0) ::kill(-container.pid, SIGKILL);
}

// Looks at each child that has ended before it is reaped: as long as the leader is a zombie, its
// pid and group cannot be another's.
void LocalRuntime::State::OnChildren() {
  bool changed = false;
  while (true) {
    siginfo_t info = {};
    if (::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid == 0) break;
    if (Container* container = FindByPid(info.si_pid)) {
      OnExit(*container);
      changed = true;
      continue;
    }
    ::waitpid(info.si_pid, nullptr, 0);  // an orphan that we inherited, or the reaper
    if (info.si_pid != reaper) continue;
    log.Warn("the reaper died, starting another");
    if (const Status started = StartReaper(); !started.ok()) {
      log.Error("cannot start the reaper", {{"error", started}});
    }
  }
  if (changed && observer) observer();
}

void LocalRuntime::State::OnExit(Container& container) {
  ::kill(-container.pid, SIGKILL);  // what the leader left in its group
  if (!KillMarked({Mark(container.status.id), Mark()}, kDeathTimeMax)) {
    log.Error("a process of an ended container cannot be killed",
              {{"container", container.status.id}});
  }
  int wait_status = 0;
  ::waitpid(container.pid, &wait_status, 0);
  Announce('-', container.pid);
  container.pid = 0;
  loop.Cancel(std::exchange(container.kill_timer, 0));
  Exit exit = DescribeExit(wait_status);
  container.status.state = runtime::ContainerState::kExited;
  container.status.exit_code = exit.code;
  container.status.reason = std::move(exit.reason);
}

void LocalRuntime::State::KillAll() {
  for (auto& [id, container] : containers) Kill(container);
  for (auto& [id, container] : containers) {
    loop.Cancel(std::exchange(container.kill_timer, 0));
    if (container.pid > 0) OnExit(container);
  }
  reaper_socket = Descriptor();
  if (reaper > 0) ::waitpid(reaper, nullptr, 0);
}

Result<std::unique_ptr<LocalRuntime>> LocalRuntime::Create(env::AsioLoop& loop,
                                                           telemetry::Logger& log,
                                                           LocalRuntimeOptions options) {
  PRIMUS_CHECK(!options.mark.empty() && !options.reaper.empty(), "a runtime has mark and reaper");
  if (::prctl(PR_SET_CHILD_SUBREAPER, 1) != 0) {
    return ErrnoError("cannot become the subreaper", errno);
  }
  auto state = std::make_shared<State>(loop, log, std::move(options));
  const std::weak_ptr<State> weak = state;
  PRIMUS_TRY(loop.OnSignal({SIGCHLD}, [weak](int) {
    if (const std::shared_ptr<State> alive = weak.lock()) alive->OnChildren();
  }));
  PRIMUS_TRY(state->StartReaper());
  return std::unique_ptr<LocalRuntime>(new LocalRuntime(std::move(state)));
}

LocalRuntime::LocalRuntime(std::shared_ptr<State> state) : state_(std::move(state)) {}

LocalRuntime::~LocalRuntime() { state_->KillAll(); }

Status LocalRuntime::Launch(const runtime::ContainerSpec& spec) {
  if (!state_->used.insert(spec.id).second) {
    return AlreadyExistsError("the container id " + spec.id + " was used before");
  }
  PRIMUS_ASSIGN(const pid_t pid, state_->Start(spec).WithContext("launching " + spec.id));
  State::Container container{.status = {.id = spec.id}, .pid = pid};
  state_->containers.emplace(spec.id, std::move(container));
  state_->loop.Post([weak = std::weak_ptr<State>(state_)] {
    const std::shared_ptr<State> alive = weak.lock();
    if (alive && alive->observer) alive->observer();
  });
  return OkStatus();
}

void LocalRuntime::Stop(const runtime::ContainerId& id, runtime::StopMode mode) {
  const auto it = state_->containers.find(id);
  if (it == state_->containers.end() || it->second.pid == 0) return;
  State::Container& container = it->second;
  if (mode == runtime::StopMode::kImmediate) return state_->Kill(container);
  if (container.kill_timer != 0) return;
  ::kill(-container.pid, SIGTERM);
  ::kill(-container.pid, SIGCONT);  // a stopped process cannot handle it
  container.kill_timer =
      state_->loop.After(state_->options.grace, [weak = std::weak_ptr<State>(state_), id] {
        const std::shared_ptr<State> alive = weak.lock();
        if (!alive) return;
        const auto found = alive->containers.find(id);
        if (found == alive->containers.end()) return;
        found->second.kill_timer = 0;
        alive->Kill(found->second);
      });
}

std::vector<runtime::ContainerStatus> LocalRuntime::List() const {
  std::vector<runtime::ContainerStatus> list;
  for (const auto& [id, container] : state_->containers) list.push_back(container.status);
  return list;
}

void LocalRuntime::Forget(const runtime::ContainerId& id) {
  const auto it = state_->containers.find(id);
  if (it != state_->containers.end() && it->second.pid == 0) state_->containers.erase(it);
}

void LocalRuntime::OnChange(std::function<void()> observer) {
  state_->observer = std::move(observer);
}

}  // namespace primus::runtimes
