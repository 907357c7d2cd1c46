// Containers as process groups of this machine, children of this process.
//
// The process that owns the runtime is the parent and subreaper of all: exits are seen at once
// and exit codes never lost. Whatever a container started ends with it, also when it left the
// group. If the owner dies, the kernel kills the leaders and the reaper (reaper.h) all the rest.
// One runtime a process; loop thread only, which must be the thread that lives as long as the
// process (the kernel binds children to a thread). Destroying it kills what runs and waits.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "primus/env/asio_loop.h"
#include "primus/runtime/runtime.h"
#include "primus/telemetry/logger.h"

namespace primus::runtimes {

struct LocalRuntimeOptions {
  std::string mark;                   // unique to this life of the owner
  Duration grace = Seconds(10);       // between SIGTERM and SIGKILL
  std::vector<std::string> reaper{};  // command that ends in RunReaper
  std::string run_directory{};        // removed by the reaper when the owner has died
  int work_directory_lock = -1;       // the reaper holds it as long as anything runs
};

class LocalRuntime final : public runtime::Runtime {
 public:
  static Result<std::unique_ptr<LocalRuntime>> Create(env::AsioLoop& loop, telemetry::Logger& log,
                                                      LocalRuntimeOptions options);
  ~LocalRuntime() override;

  Status Launch(const runtime::ContainerSpec& spec) override;
  void Stop(const runtime::ContainerId& id, runtime::StopMode mode) override;
  std::vector<runtime::ContainerStatus> List() const override;
  void Forget(const runtime::ContainerId& id) override;
  void OnChange(std::function<void()> observer) override;

 private:
  struct State;
  explicit LocalRuntime(std::shared_ptr<State> state);

  std::shared_ptr<State> state_;
};

}  // namespace primus::runtimes
