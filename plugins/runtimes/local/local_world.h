// A LocalRuntime with its loop and a folder for logs: for tests only. The test executable is its
// own reaper, see test_main.cc.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "plugins/runtimes/local/local_runtime.h"

namespace primus::runtimes {

class LocalWorld {
 public:
  LocalWorld();
  ~LocalWorld();

  runtime::Runtime& runtime() { return *runtime_; }
  bool RunUntil(const std::function<bool()>& holds);
  Status Launch(const runtime::ContainerId& id, std::vector<std::string> command);
  // The logs of a container so far.
  std::string Output(const runtime::ContainerId& id) const;
  std::string Errors(const runtime::ContainerId& id) const;
  const std::string& directory() const { return directory_; }
  const std::string& mark() const { return mark_; }
  telemetry::Logger& log() { return log_; }

  static std::vector<std::string> Shell(std::string script);
  std::vector<std::string> Exits(int code) { return Shell("exit " + std::to_string(code)); }
  std::vector<std::string> Stays() { return Shell("echo ready; exec tail -f /dev/null"); }
  std::vector<std::string> Ignores() {
    return Shell("trap '' TERM; echo ready; exec tail -f /dev/null");
  }
  bool IsReady(const runtime::ContainerId& id) const {
    return Output(id).find("ready") != std::string::npos;
  }

 private:
  env::AsioLoop loop_;
  telemetry::Logger log_;
  std::string directory_;
  std::string mark_;
  std::unique_ptr<LocalRuntime> runtime_;
};

// Whether a process lives (zombies do not).
bool IsAlive(pid_t pid);

}  // namespace primus::runtimes
