#include "apps/primus/prepared_job.h"

#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <utility>

#include "apps/primus/job_file.h"
#include "apps/primus/plugins.h"
#include "apps/primus/storage.h"
#include "primus/api/conditions.h"
#include "primus/api/sqlite_object_store.h"

#include "proto/config/job.pb.h"
#include "proto/wire/node.pb.h"

namespace primus::apps {
namespace {

WallTime WallNow() { return WallTime(std::chrono::system_clock::now().time_since_epoch()); }

// Removes .primus again if it was made for a job that is then refused.
class StateDirectoryGuard {
 public:
  explicit StateDirectoryGuard(const std::string& work)
      : path_(StateDirectory(work)), is_new_(!std::filesystem::exists(path_)) {}
  ~StateDirectoryGuard() {
    std::error_code ignored;  // the refusal is what the user needs to read
    if (is_new_) std::filesystem::remove_all(path_, ignored);
  }
  void Keep() { is_new_ = false; }

 private:
  std::string path_;
  bool is_new_;
};

Result<std::unique_ptr<api::ObjectStore>> OpenStore(const std::string& work) {
  PRIMUS_ASSIGN(auto store, api::SqliteObjectStore::Open(
                                ObjectsFile(work), api::SqliteObjectStore::Access::kReadWrite));
  return std::unique_ptr<api::ObjectStore>(std::move(store));
}

Status CreateObject(api::ObjectStore& store, const std::string& name, const wire::StoredJob& stored,
                    wire::JobStatus status) {
  const WallTime now = WallNow();
  api::SetCondition(&status, {.type = api::kCreated, .reason = "Accepted"}, now, 1);
  api::Object object{.kind = std::string(api::kJobKind), .name = name};
  object.spec = stored.SerializeAsString();
  object.status = status.SerializeAsString();
  object.created = now;
  return store.Create(object).status();
}

Result<std::string> FreeHistoryName(api::ObjectStore& store, const std::string& name) {
  for (int n = 1;; ++n) {
    std::string candidate = name + "." + std::to_string(n);
    const Result<api::Object> taken = store.Get(api::kJobKind, candidate);
    if (taken.status().code() == StatusCode::kNotFound) return candidate;
    PRIMUS_TRY(taken.status());
  }
}

// The name becomes free; the object stays under "<name>.<n>".
Status MoveToHistory(api::ObjectStore& store, const api::Object& object) {
  api::Object history = object;
  PRIMUS_ASSIGN(history.name, FreeHistoryName(store, object.name));
  PRIMUS_TRY(store.Create(history).status());
  return store.Delete(api::kJobKind, object.name);
}

Status StoreNew(api::ObjectStore& store, const std::string& name, const wire::StoredJob& stored) {
  const Result<api::Object> before = store.Get(api::kJobKind, name);
  if (before.ok()) {
    PRIMUS_TRY(MoveToHistory(store, *before));
  } else if (before.status().code() != StatusCode::kNotFound) {
    return before.status();
  }
  return CreateObject(store, name, stored, {});
}

// A failed job stays failed: it goes on as a new object. Attempts and runs go on counting, since
// the storage knows the old ones.
Status SucceedFailed(api::ObjectStore& store, const api::Object& failed,
                     const wire::StoredJob& stored) {
  wire::JobStatus before;
  if (!before.ParseFromString(failed.status)) {
    return DataLossError("the status of job " + failed.name + " cannot be read");
  }
  PRIMUS_TRY(MoveToHistory(store, failed));
  wire::JobStatus status;
  status.set_attempt(before.attempt());
  status.set_runs(before.runs());
  return CreateObject(store, failed.name, stored, std::move(status));
}

Status CheckResumable(const api::Object& object, const wire::StoredJob& stored) {
  wire::JobStatus status;
  if (!status.ParseFromString(object.status)) {
    return DataLossError("the status of job " + object.name + " cannot be read");
  }
  if (api::IsTrue(status, api::kCompleted)) {
    return FailedPreconditionError(
        "job " + object.name + " is completed: there is nothing to go on with; its model is in " +
        stored.storage());
  }
  if (!std::filesystem::is_directory(stored.storage())) {
    return FailedPreconditionError("the storage of job " + object.name + " is gone (" +
                                   stored.storage() + "): start it anew with `primus run`");
  }
  return OkStatus();
}

Status UpdateStored(api::ObjectStore& store, api::Object object, const wire::StoredJob& stored) {
  wire::JobStatus status;
  const bool is_failed = status.ParseFromString(object.status) && api::IsTrue(status, api::kFailed);
  if (is_failed) return SucceedFailed(store, object, stored);
  object.spec = stored.SerializeAsString();
  return store.UpdateSpec(object).status();
}

}  // namespace

Result<PreparedJob> PrepareNew(const config::Job& job, const JobFolders& folders) {
  const std::string& work_directory = folders.work_directory;
  const std::string& name = job.metadata().name();
  PRIMUS_ASSIGN(const std::string storage, StoragePath(job, work_directory));
  PRIMUS_TRY(CheckStorageFree(storage, name));
  StateDirectoryGuard guard(work_directory);
  PRIMUS_ASSIGN(WorkDirectoryLock lock, WorkDirectoryLock::Take(work_directory));
  PRIMUS_ASSIGN(auto store, OpenStore(work_directory));
  PRIMUS_TRY(ClaimStorage(storage, job, MakePlugins()));
  wire::StoredJob stored;
  stored.set_job(job.SerializeAsString());
  stored.set_storage(storage);
  stored.set_work_directory(work_directory);
  stored.set_job_folder(folders.job_folder);
  Status written = StoreNew(*store, name, stored);
  if (written.ok()) written = lock.Describe({.pid = ::getpid(), .job = name});
  if (!written.ok()) {
    ReleaseStorage(storage);
    return written;
  }
  guard.Keep();
  return PreparedJob{work_directory, name, storage, std::move(lock), std::move(store)};
}

Result<PreparedJob> PrepareResume(const std::string& name, const std::vector<std::string>& sets,
                                  const std::string& work_directory) {
  if (!std::filesystem::exists(ObjectsFile(work_directory))) {
    return NotFoundError("no job was ever run in " + work_directory +
                         ": give its directory with --workdir");
  }
  PRIMUS_ASSIGN(WorkDirectoryLock lock, WorkDirectoryLock::Take(work_directory));
  PRIMUS_ASSIGN(auto store, OpenStore(work_directory));
  Result<api::Object> object = store->Get(api::kJobKind, name);
  if (object.status().code() == StatusCode::kNotFound) {
    return NotFoundError("there is no job " + name + " in " + work_directory +
                         "; `primus get jobs` lists those that there are");
  }
  PRIMUS_TRY(object.status());
  wire::StoredJob stored;
  config::Job before;
  if (!stored.ParseFromString(object->spec) || !before.ParseFromString(stored.job())) {
    return DataLossError("job " + name + " in " + ObjectsFile(work_directory) + " cannot be read");
  }
  PRIMUS_TRY(CheckResumable(*object, stored));
  PRIMUS_ASSIGN(const config::Job after, ChangeJob(before, sets, MakePlugins()));
  stored.set_job(after.SerializeAsString());
  stored.set_stop(false);
  stored.set_stop_now(false);
  PRIMUS_TRY(UpdateStored(*store, std::move(*object), stored));
  PRIMUS_TRY(lock.Describe({.pid = ::getpid(), .job = name}));
  return PreparedJob{work_directory, name, stored.storage(), std::move(lock), std::move(store)};
}

}  // namespace primus::apps
