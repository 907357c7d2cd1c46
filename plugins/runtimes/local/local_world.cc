#include "plugins/runtimes/local/local_world.h"

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "primus/runtime/log_name.h"

namespace primus::runtimes {
namespace {

constexpr Duration kTestTimeMax = Seconds(30);
constexpr Duration kLookAgain = Milliseconds(2);

std::string ReadFile(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

std::string MakeDirectory() {
  std::string pattern = (std::filesystem::temp_directory_path() / "primus-run-XXXXXX").string();
  return ::mkdtemp(pattern.data());
}

}  // namespace

LocalWorld::LocalWorld()
    : log_("test", loop_, [](telemetry::Level, std::string_view) {}),
      directory_(MakeDirectory()),
      mark_(std::filesystem::path(directory_).filename().string()) {
  runtime_ = LocalRuntime::Create(
                 loop_, log_,
                 {.mark = mark_, .grace = Milliseconds(50), .reaper = {"/proc/self/exe", "reaper"}})
                 .value();
}

LocalWorld::~LocalWorld() {
  runtime_.reset();
  std::filesystem::remove_all(directory_);
}

bool LocalWorld::RunUntil(const std::function<bool()>& holds) {
  env::Timer timer(loop_);
  // What a container writes to its log wakes no loop, so look again and again.
  std::function<void()> look = [&] { timer.Set(kLookAgain, look); };
  look();
  return loop_.RunUntil(holds, kTestTimeMax);
}

Status LocalWorld::Launch(const runtime::ContainerId& id, std::vector<std::string> command) {
  return runtime_->Launch({.id = id,
                           .command = std::move(command),
                           .environment = {{"GREETING", "hello world"}},
                           .working_directory = directory_,
                           .log_directory = directory_ + "/logs"});
}

std::string LocalWorld::Output(const runtime::ContainerId& id) const {
  return ReadFile(directory_ + "/logs/" + runtime::LogName(id) + ".out");
}

std::string LocalWorld::Errors(const runtime::ContainerId& id) const {
  return ReadFile(directory_ + "/logs/" + runtime::LogName(id) + ".err");
}

std::vector<std::string> LocalWorld::Shell(std::string script) {
  return {"/bin/sh", "-c", std::move(script)};
}

bool IsAlive(pid_t pid) {
  const std::string stat = ReadFile("/proc/" + std::to_string(pid) + "/stat");
  const std::size_t name_end = stat.rfind(')');
  return name_end != std::string::npos && stat.compare(name_end + 2, 1, "Z") != 0;
}

}  // namespace primus::runtimes
