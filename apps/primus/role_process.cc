#include "apps/primus/role_process.h"

#include <csignal>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>

#include "proto/config/job.pb.h"

namespace primus::apps {

RoleProcess::RoleProcess(const ReplicaArguments& arguments, std::size_t threads)
    : log_(ToString(arguments.replica), loop_, telemetry::StandardErrorSink()) {
  pool_.emplace(loop_, threads);
  const Status watched = loop_.OnSignal({SIGTERM, SIGINT}, [this](int signal) {
    log_.Info("stopped by a signal", {{"signal", signal}});
    Ender()(OkStatus());
  });
  // Without it SIGTERM still ends the process, only less politely.
  if (!watched.ok()) log_.Warn("signals are not handled", {{"error", watched}});
}

std::function<void(Status)> RoleProcess::Ender() {
  return [this](Status status) {
    if (!ended_) ended_ = std::move(status);
    loop_.Stop();
  };
}

void RoleProcess::End(int exit_code) {
  exit_code_ = exit_code;
  loop_.Stop();
}

int RoleProcess::Run(const std::function<void()>& leave) {
  if (!ended_ && !exit_code_) loop_.Run();
  leave();
  pool_.reset();
  if (exit_code_) return *exit_code_;
  if (ended_ && !ended_->ok()) return Refuse(*ended_);
  return 0;
}

int RoleProcess::Refuse(const Status& reason) {
  log_.Error("replica ends", {{"reason", reason}});
  return 1;
}

Result<config::Job> ReadJob(const ReplicaArguments& arguments) {
  std::ifstream file(arguments.job_file, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (!file) return UnavailableError("the job file cannot be read: " + arguments.job_file);
  config::Job job;
  if (!job.ParseFromString(bytes)) {
    return DataLossError("the job file is damaged: " + arguments.job_file);
  }
  return job;
}

}  // namespace primus::apps
