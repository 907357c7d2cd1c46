#include "apps/primus/query_commands.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "apps/primus/job_table.h"
#include "apps/primus/node_client.h"
#include "apps/primus/run_commands.h"
#include "apps/primus/version.h"
#include "apps/primus/work_directory.h"
#include "primus/api/conditions.h"
#include "primus/api/sqlite_object_store.h"

#include "proto/wire/node.pb.h"

namespace primus::apps {
namespace {

Result<std::unique_ptr<api::SqliteObjectStore>> OpenStore(const std::string& work) {
  if (!std::filesystem::exists(ObjectsFile(work))) {
    return NotFoundError("no job was ever run in " + work + ": give its directory with --workdir");
  }
  return api::SqliteObjectStore::Open(ObjectsFile(work), api::SqliteObjectStore::Access::kReadOnly);
}

Surroundings SurroundingsOf(const WorkDirectory& work) {
  const Result<LockHolder> holder = FindHolder(work.path);
  return {.now = WallTime(std::chrono::system_clock::now().time_since_epoch()),
          .running_job = holder.ok() ? holder->job : std::string(),
          .work = work};
}

Result<api::Object> LoadJob(const std::string& name, const WorkDirectory& work) {
  PRIMUS_ASSIGN(auto store, OpenStore(work.path));
  Result<api::Object> object = store->Get(api::kJobKind, name);
  if (object.status().code() != StatusCode::kNotFound) return object;
  return NotFoundError("there is no job " + name + " in " + work.path + "; " +
                       work.Command("get jobs") + " lists those that there are");
}

Status PrintTable(const std::string& work_directory) {
  PRIMUS_ASSIGN(const WorkDirectory work, FindWorkDirectory(work_directory));
  PRIMUS_ASSIGN(auto store, OpenStore(work.path));
  PRIMUS_ASSIGN(const api::ObjectList list, store->List(api::kJobKind));
  std::fputs(JobTable(list.objects, SurroundingsOf(work)).c_str(), stdout);
  return OkStatus();
}

Status PrintPage(const std::string& name, const std::string& work_directory) {
  PRIMUS_ASSIGN(const WorkDirectory work, FindWorkDirectory(work_directory));
  PRIMUS_ASSIGN(const api::Object job, LoadJob(name, work));
  std::fputs(JobPage(job, SurroundingsOf(work)).c_str(), stdout);
  return OkStatus();
}

Status PrintLogs(const LogsOptions& options) {
  PRIMUS_ASSIGN(const std::string storage, StorageOfJob(options.name, options.work_directory));
  const std::string directory = storage + "/logs";
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(directory, error)) {
    const std::string name = entry.path().filename();
    const bool is_wanted = options.replica.empty() || name.starts_with(options.replica + ".");
    if (is_wanted) files.push_back(entry.path());
  }
  if (files.empty()) {
    return NotFoundError("no logs of " +
                         (options.replica.empty() ? options.name : options.replica) + " in " +
                         directory);
  }
  std::sort(files.begin(), files.end());
  for (const std::filesystem::path& file : files) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    if (text.str().empty()) continue;
    std::printf("==> %s <==\n%s", file.filename().c_str(), text.str().c_str());
  }
  return OkStatus();
}

Status Stop(const StopOptions& options) {
  PRIMUS_ASSIGN(const WorkDirectory work, FindWorkDirectory(options.work_directory));
  PRIMUS_TRY(LoadJob(options.name, work).status());
  const Result<LockHolder> holder = FindHolder(work.path);
  if (!holder.ok() || holder->job != options.name || holder->address.empty()) {
    return FailedPreconditionError("job " + options.name + " does not run in " + work.path + "; " +
                                   work.Command("get jobs") + " shows what does");
  }
  const Status asked = AskToStop(holder->address, options.name, options.kind);
  if (asked.code() == StatusCode::kUnavailable) {
    const std::string pid = std::to_string(holder->pid);
    return UnavailableError("the node of job " + options.name + " (pid " + pid +
                            ") does not answer: it is ending, or its folder of sockets was "
                            "removed; `kill " +
                            pid + "` stops it with a save point");
  }
  PRIMUS_TRY(asked);
  PRIMUS_TRY(AwaitStopped(holder->address, options.name));
  PRIMUS_ASSIGN(const api::Object job, LoadJob(options.name, work));
  wire::JobStatus status;
  if (status.ParseFromString(job.status) && api::IsTrue(status, api::kCompleted)) {
    std::printf("job %s has completed meanwhile\n", options.name.c_str());
    return OkStatus();
  }
  std::printf("job %s is stopped; go on with %s\n", options.name.c_str(),
              work.Command("resume " + options.name).c_str());
  return OkStatus();
}

int CodeOf(const Status& status) { return status.ok() ? 0 : Refuse(status); }

}  // namespace

int GetJobs(const std::string& work_directory) { return CodeOf(PrintTable(work_directory)); }

int DescribeJob(const std::string& name, const std::string& work_directory) {
  return CodeOf(PrintPage(name, work_directory));
}

Result<std::string> StorageOfJob(const std::string& name, const std::string& work_directory) {
  PRIMUS_ASSIGN(const WorkDirectory work, FindWorkDirectory(work_directory));
  PRIMUS_ASSIGN(const api::Object job, LoadJob(name, work));
  wire::StoredJob stored;
  if (stored.ParseFromString(job.spec)) return stored.storage();
  return DataLossError("job " + name + " cannot be read");
}

int ShowLogs(const LogsOptions& options) { return CodeOf(PrintLogs(options)); }

int StopJob(const StopOptions& options) { return CodeOf(Stop(options)); }

int ShowVersion() {
  std::printf("primus %s\n", kVersion);
  return 0;
}

}  // namespace primus::apps
