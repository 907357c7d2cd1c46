#include "apps/primus/node_process.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "apps/primus/stop_signals.h"
#include "plugins/runtimes/local/local_runtime.h"
#include "primus/env/asio_loop.h"
#include "primus/node/node.h"
#include "primus/rpc/grpc_network.h"
#include "primus/telemetry/logger.h"
#include "primus/telemetry/metrics.h"

#include "proto/wire/node.pb.h"

namespace primus::apps {
namespace {

// Not the path of the file: the same program, also when it has been built anew meanwhile.
constexpr const char* kOwnBinary = "/proc/self/exe";
constexpr Duration kStatusEvery = Milliseconds(500);

Result<telemetry::Sink> OpenLog(const std::string& path) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (fd < 0) return ErrnoError("cannot write node's log " + path, errno);
  const std::shared_ptr<void> closes(nullptr, [fd](void*) { ::close(fd); });
  return telemetry::Sink([fd, closes](telemetry::Level, std::string_view line) {
    const std::string text = std::string(line) + "\n";
    // A log that cannot be written has nowhere to complain to.
    [[maybe_unused]] const ssize_t written = ::write(fd, text.data(), text.size());
  });
}

// Removed when nothing uses it any more; after a kill the reaper does that.
struct RunDirectory {
  RunDirectory() = default;
  ~RunDirectory() {
    std::error_code ignored;
    if (path.empty()) return;
    std::filesystem::remove_all(path, ignored);
    std::filesystem::remove(path, ignored);  // goes also when no file can be opened any more
  }
  RunDirectory(const RunDirectory&) = delete;
  RunDirectory& operator=(const RunDirectory&) = delete;

  std::string path;
};

// What a node is made of, in the order in which it stands on one another.
class NodeProcess {
 public:
  NodeProcess(PreparedJob prepared, const NodeProcessOptions& options)
      : prepared_(std::move(prepared)), options_(options), status_timer_(loop_) {}

  Status Start();
  Result<std::unique_ptr<wire::JobStatus>> Run();

 private:
  Status StartRuntime();
  Status StartNode();
  void OnSignal();
  Result<std::unique_ptr<wire::JobStatus>> LoadStatus();
  void ShowStatus();

  PreparedJob prepared_;
  const NodeProcessOptions& options_;
  env::AsioLoop loop_;
  telemetry::Registry metrics_;
  std::optional<telemetry::Logger> log_;
  RunDirectory run_directory_;
  std::optional<rpc::GrpcNetwork> network_;
  std::unique_ptr<runtimes::LocalRuntime> runtime_;
  std::optional<node::Node> node_;
  env::Timer status_timer_;
  int signals_ = 0;
};

Status NodeProcess::Start() {
  PRIMUS_ASSIGN(telemetry::Sink sink, OpenLog(NodeLogFile(prepared_.work.path)));
  log_.emplace("node", loop_, std::move(sink));
  PRIMUS_ASSIGN(run_directory_.path, MakeRunDirectory());
  PRIMUS_TRY(StartRuntime());
  network_.emplace(loop_, metrics_);
  PRIMUS_TRY(
      loop_.OnSignal({kStopSignals.begin(), kStopSignals.end()}, [this](int) { OnSignal(); }));
  PRIMUS_TRY(StartNode());
  ReleaseStopSignals();
  return OkStatus();
}

Status NodeProcess::StartRuntime() {
  const std::string mark = std::filesystem::path(run_directory_.path).filename();
  PRIMUS_ASSIGN(runtime_,
                runtimes::LocalRuntime::Create(loop_, *log_,
                                               {.mark = std::to_string(::getpid()) + "." + mark,
                                                .reaper = {kOwnBinary, "reaper"},
                                                .run_directory = run_directory_.path,
                                                .work_directory_lock = prepared_.lock.fd()}));
  return OkStatus();
}

Status NodeProcess::StartNode() {
  const std::string address = "unix:" + run_directory_.path + "/node";
  node_.emplace(node::JobRunWorld{loop_, *prepared_.store, *runtime_, *log_}, *network_,
                node::NodeOptions{.binary = kOwnBinary,
                                  .state_directory = StateDirectory(prepared_.work.path),
                                  .run_directory = run_directory_.path,
                                  .address = address,
                                  .on_job_over = [this](const std::string&) { loop_.Stop(); }});
  PRIMUS_TRY(node_->Listen());
  PRIMUS_TRY(
      prepared_.lock.Describe({.pid = ::getpid(), .job = prepared_.name, .address = address}));
  return node_->StartJob(prepared_.name);
}

void NodeProcess::OnSignal() {
  ++signals_;
  if (signals_ > 1) return node_->StopJobNow(prepared_.name);
  if (options_.on_stopping) options_.on_stopping();
  node_->StopJob(prepared_.name);
}

Result<std::unique_ptr<wire::JobStatus>> NodeProcess::LoadStatus() {
  PRIMUS_ASSIGN(const api::Object object, prepared_.store->Get(api::kJobKind, prepared_.name));
  auto status = std::make_unique<wire::JobStatus>();
  if (!status->ParseFromString(object.status)) {
    return DataLossError("the status of job " + prepared_.name + " cannot be read");
  }
  return status;
}

void NodeProcess::ShowStatus() {
  const auto status = LoadStatus();
  if (status.ok()) options_.on_status(**status);
  status_timer_.Set(kStatusEvery, [this] { ShowStatus(); });
}

Result<std::unique_ptr<wire::JobStatus>> NodeProcess::Run() {
  if (options_.on_started) options_.on_started();
  ShowStatus();
  if (node_->has_running_jobs()) loop_.Run();
  status_timer_.Cancel();
  if (const Status& failure = node_->store_failure(); !failure.ok()) {
    return UnavailableError("the state of job " + prepared_.name +
                            " cannot be written: " + failure.message() + "; then " +
                            prepared_.work.Command("resume " + prepared_.name) + " goes on");
  }
  PRIMUS_ASSIGN(auto status, LoadStatus());
  options_.on_status(*status);
  return status;
}

}  // namespace

Result<std::unique_ptr<wire::JobStatus>> RunNodeProcess(PreparedJob prepared,
                                                        const NodeProcessOptions& options) {
  NodeProcess process(std::move(prepared), options);
  PRIMUS_TRY(process.Start());
  return process.Run();
}

}  // namespace primus::apps
