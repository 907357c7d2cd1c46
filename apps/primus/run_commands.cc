#include "apps/primus/run_commands.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <filesystem>

#include "apps/primus/node_process.h"
#include "apps/primus/plugins.h"
#include "apps/primus/prepared_job.h"
#include "apps/primus/progress.h"
#include "apps/primus/report.h"
#include "apps/primus/summary.h"
#include "plugins/runtimes/local/child_process.h"
#include "primus/api/conditions.h"
#include "primus/api/sqlite_object_store.h"
#include "primus/jobspec/settings.h"

#include "proto/config/job.pb.h"
#include "proto/wire/node.pb.h"

namespace primus::apps {
namespace {

constexpr int kCompletedCode = 0;
constexpr int kFailedCode = 1;
constexpr int kUserErrorCode = 2;
constexpr int kInterruptedCode = 130;

using Clock = std::chrono::steady_clock;

ProgressStyle StyleOf(OutputFormat output) {
  if (output == OutputFormat::kJson) return ProgressStyle::kNothing;
  return ::isatty(STDOUT_FILENO) != 0 ? ProgressStyle::kTerminal : ProgressStyle::kLines;
}

std::string Seconds1(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f s", seconds);
  return text;
}

// What is said at the end, and the exit code.
struct Ending {
  int code = kFailedCode;
  std::string text;
};

std::string StoppedText(const std::string& name, const wire::JobStatus& status, double seconds) {
  const wire::Condition* suspended = api::FindCondition(status, api::kSuspended);
  const bool is_at_once = suspended != nullptr && suspended->reason() == api::kInterrupted;
  std::string text =
      name + " is stopped" + (is_at_once ? " at once" : "") + " after " + Seconds1(seconds);
  const wire::SavePointStatus& saved = status.save_point();
  if (saved.record() == 0) return text;
  const std::string record = "save point " + std::to_string(saved.record());
  if (!is_at_once) return text + ", saved at " + record;
  return text + "; " + record + " holds " + std::to_string(saved.trained()) +
         " trained rows, and the rest is read again";
}

Ending EndingOf(const std::string& job, const WorkDirectory& work, const wire::JobStatus& status,
                double seconds) {
  const std::string name = "job " + job;
  if (api::IsTrue(status, api::kCompleted)) {
    return {kCompletedCode, name + " completed in " + Seconds1(seconds)};
  }
  if (const wire::Condition* failed = api::FindCondition(status, api::kFailed);
      failed != nullptr && failed->status()) {
    return {kFailedCode, name + " failed: " + failed->reason() + ": " + failed->message()};
  }
  return {kInterruptedCode,
          StoppedText(name, status, seconds) + "; go on with " + work.Command("resume " + job)};
}

int RunPrepared(PreparedJob prepared, OutputFormat output, Clock::time_point start) {
  const std::string name = prepared.name;
  const std::string storage = prepared.storage;
  const WorkDirectory work = prepared.work;
  Progress progress(name, StyleOf(output), stdout);
  NodeProcessOptions options;
  options.on_status = [&](const wire::JobStatus& status) { progress.Show(status); };
  options.on_stopping = [] {
    std::fprintf(stderr, "\nstopping with a save point; Ctrl-C again stops at once\n");
  };
  const auto status = RunNodeProcess(std::move(prepared), options);
  if (!status.ok()) return Refuse(status.status());
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  const Ending ending = EndingOf(name, work, **status, seconds);
  const Status reported =
      WriteReport({.job = name, .storage = storage, .status = **status, .seconds = seconds});
  // The job's own end stands, whatever becomes of its report.
  if (!reported.ok()) std::fprintf(stderr, "primus: no report: %s\n", reported.message().c_str());
  if (output == OutputFormat::kJson) {
    std::printf("%s\n", SummaryLine(name, **status, seconds).c_str());
    if (ending.code != kCompletedCode) std::fprintf(stderr, "primus: %s\n", ending.text.c_str());
  } else if (ending.code == kFailedCode) {
    std::fflush(stdout);
    std::fprintf(stderr, "primus: %s\n", ending.text.c_str());
  } else {
    progress.Say(SummaryText(**status) + ending.text);
  }
  return ending.code;
}

Result<PreparedJob> PrepareFromFile(const RunOptions& options) {
  PRIMUS_ASSIGN(const config::Job job, LoadJobFile(options.file, MakePlugins()));
  PRIMUS_ASSIGN(WorkDirectory work, FindWorkDirectory(options.work_directory));
  const std::string job_folder = jobspec::FolderOf(options.file.path);
  PRIMUS_ASSIGN(PreparedJob prepared,
                PrepareNew(job, {.job_folder = std::filesystem::absolute(job_folder).string(),
                                 .work = std::move(work)}));
  if (!prepared.note.empty()) std::fprintf(stderr, "primus: %s\n", prepared.note.c_str());
  return prepared;
}

Result<PreparedJob> PrepareToResume(const ResumeOptions& options) {
  PRIMUS_ASSIGN(const WorkDirectory work, FindWorkDirectory(options.work_directory));
  return PrepareResume(options.name, options.sets, work);
}

// A completed job whose node was killed before it wrote the report gets it now; false if nothing
// was missing.
Result<bool> WriteMissingReport(const ResumeOptions& options) {
  PRIMUS_ASSIGN(const WorkDirectory work, FindWorkDirectory(options.work_directory));
  if (!std::filesystem::exists(ObjectsFile(work.path))) return false;
  const Result<WorkDirectoryLock> lock = WorkDirectoryLock::Take(work, options.name);
  if (!lock.ok()) return false;  // what comes next says why
  const auto store = api::SqliteObjectStore::Open(ObjectsFile(work.path),
                                                  api::SqliteObjectStore::Access::kReadWrite);
  if (!store.ok()) return false;
  const Result<api::Object> object = (*store)->Get(api::kJobKind, options.name);
  wire::JobStatus status;
  wire::StoredJob stored;
  const bool is_completed = object.ok() && status.ParseFromString(object->status) &&
                            stored.ParseFromString(object->spec) &&
                            api::IsTrue(status, api::kCompleted);
  if (!is_completed || !std::filesystem::is_directory(stored.storage()) ||
      std::filesystem::exists(stored.storage() + "/summary.json")) {
    return false;
  }
  const int64_t nanos = api::FindCondition(status, api::kCompleted)->transition_nanos() -
                        object->created.time_since_epoch().count();
  PRIMUS_TRY(WriteReport({.job = options.name,
                          .storage = stored.storage(),
                          .status = status,
                          .seconds = ToSeconds(Duration(nanos))}));
  std::printf("%sjob %s was completed before; its report is written now\n",
              SummaryText(status).c_str(), options.name.c_str());
  return true;
}

Result<std::string> StorageOf(api::ObjectStore& store, const std::string& job) {
  PRIMUS_ASSIGN(const api::Object object, store.Get(api::kJobKind, job));
  wire::StoredJob stored;
  if (!stored.ParseFromString(object.spec)) {
    return DataLossError("job " + job + " in the object store cannot be read");
  }
  return stored.storage();
}

// Waits for the word of the node that was started: its error, or nothing if it runs.
std::string AwaitStarted(int fd) {
  std::string text;
  char buffer[256];
  ssize_t size = 0;
  while ((size = ::read(fd, buffer, sizeof buffer)) > 0) {
    text.append(buffer, static_cast<std::size_t>(size));
    if (text == "started\n") return {};
  }
  return text.empty() ? "the node ended before it started the job" : text;
}

std::vector<std::string> OwnEnvironment() {
  std::vector<std::string> entries;
  for (char** entry = environ; *entry != nullptr; ++entry) entries.emplace_back(*entry);
  return entries;
}

}  // namespace

int Refuse(const Status& status) {
  std::fflush(stdout);
  std::fprintf(stderr, "primus: %s\n", status.message().c_str());
  switch (status.code()) {
    case StatusCode::kResourceExhausted:
    case StatusCode::kDataLoss:
    case StatusCode::kInternal:
    case StatusCode::kUnavailable:
    case StatusCode::kUnknown:
      return kFailedCode;
    default:
      return kUserErrorCode;
  }
}

int RunJob(const RunOptions& options) {
  const Clock::time_point start = Clock::now();
  Result<PreparedJob> prepared = PrepareFromFile(options);
  if (!prepared.ok()) return Refuse(prepared.status());
  return RunPrepared(std::move(prepared).value(), options.output, start);
}

int ResumeJob(const ResumeOptions& options) {
  const Clock::time_point start = Clock::now();
  const Result<bool> mended = WriteMissingReport(options);
  if (!mended.ok()) return Refuse(mended.status());
  if (*mended) return kCompletedCode;
  Result<PreparedJob> prepared = PrepareToResume(options);
  if (!prepared.ok()) return Refuse(prepared.status());
  return RunPrepared(std::move(prepared).value(), options.output, start);
}

int SubmitJob(const RunOptions& options) {
  Result<PreparedJob> prepared = PrepareFromFile(options);
  if (!prepared.ok()) return Refuse(prepared.status());
  prepared->store.reset();
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return Refuse(ErrnoError("cannot start a node", errno));
  const Result<pid_t> node =
      runtimes::StartChild({.command = {"/proc/self/exe", "node", "--name", prepared->name,
                                        "--workdir", prepared->work.path},
                            .environment = OwnEnvironment(),
                            .working_directory = prepared->work.path,
                            .standard_output = ends[1],
                            .standard_error = ends[1],
                            .third = prepared->lock.fd(),
                            .lifetime = runtimes::Lifetime::kOutlivesParent});
  ::close(ends[1]);
  if (!node.ok()) return Refuse(node.status());
  const std::string problem = AwaitStarted(ends[0]);
  ::close(ends[0]);
  if (!problem.empty()) return Refuse(InternalError(problem));
  std::printf("job %s runs in the background (pid %d); see %s and %s\n", prepared->name.c_str(),
              *node, prepared->work.Command("get jobs").c_str(),
              prepared->work.Command("logs " + prepared->name).c_str());
  return kCompletedCode;
}

int RunBackgroundNode(const BackgroundOptions& options) {
  const Clock::time_point start = Clock::now();
  const WorkDirectory work{.path = options.work_directory};
  WorkDirectoryLock lock(3);
  ::fcntl(lock.fd(), F_SETFD, FD_CLOEXEC);
  auto store = api::SqliteObjectStore::Open(ObjectsFile(options.work_directory),
                                            api::SqliteObjectStore::Access::kReadWrite);
  if (!store.ok()) return Refuse(store.status());
  const Result<std::string> storage = StorageOf(**store, options.name);
  if (!storage.ok()) return Refuse(storage.status());
  NodeProcessOptions process;
  process.on_status = [](const wire::JobStatus&) {};
  process.on_started = [] {
    std::printf("started\n");
    std::fflush(stdout);
    // The terminal belongs to the one who submitted.
    const int nowhere = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    ::dup2(nowhere, STDOUT_FILENO);
    ::dup2(nowhere, STDERR_FILENO);
  };
  const auto status = RunNodeProcess(
      {work, options.name, *storage, std::move(lock), std::move(store).value()}, process);
  if (!status.ok()) return Refuse(status.status());
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  const Status reported = WriteReport(
      {.job = options.name, .storage = *storage, .status = **status, .seconds = seconds});
  if (!reported.ok()) return Refuse(reported);
  return EndingOf(options.name, work, **status, seconds).code;
}

int CheckJobFile(const JobFileInput& input) {
  const Result<config::Job> job = LoadJobFile(input, MakePlugins());
  if (!job.ok()) return Refuse(job.status());
  std::printf("%s is a valid job file (job %s)\n", input.path.c_str(),
              job->metadata().name().c_str());
  return kCompletedCode;
}

}  // namespace primus::apps
