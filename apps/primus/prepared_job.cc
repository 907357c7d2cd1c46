#include "apps/primus/prepared_job.h"

#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <utility>

#include "apps/primus/job_file.h"
#include "apps/primus/plugins.h"
#include "apps/primus/stop_signals.h"
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

// What the object of a job that has not begun says.
std::string FreshStatus(wire::JobStatus status) {
  api::SetCondition(&status, {.type = api::kCreated, .reason = "Accepted"}, WallNow(), 1);
  return status.SerializeAsString();
}

Result<wire::JobStatus> StatusOf(const api::Object& object) {
  wire::JobStatus status;
  if (status.ParseFromString(object.status)) return status;
  return DataLossError("the status of job " + object.name + " cannot be read");
}

// The first of "<uri>-2", "<uri>-3", … that is not there, as an option.
std::string OtherStorage(const std::string& uri, const std::string& storage) {
  int n = 2;
  while (std::filesystem::exists(storage + "-" + std::to_string(n))) ++n;
  return "give another spec.storage.uri (--set spec.storage.uri=" + uri + "-" + std::to_string(n) +
         ")";
}

// Says of a storage that is taken by which job, and what can be done.
Status CheckFree(const std::string& storage, const std::string& uri, const WorkDirectory& work,
                 api::ObjectStore& store) {
  const Status free = CheckStorageFree(storage);
  if (free.code() != StatusCode::kAlreadyExists) return free;
  const std::string other = OtherStorage(uri, storage);
  PRIMUS_ASSIGN(const api::ObjectList jobs, store.List(api::kJobKind));
  for (const api::Object& object : jobs.objects) {
    wire::StoredJob stored;
    if (!stored.ParseFromString(object.spec) || stored.storage() != storage) continue;
    PRIMUS_ASSIGN(const wire::JobStatus status, StatusOf(object));
    if (api::IsTrue(status, api::kCompleted)) {
      return AlreadyExistsError("job " + object.name + " is completed; to run it again remove " +
                                storage + ", or " + other);
    }
    return AlreadyExistsError("the storage is that of job " + object.name +
                              ", which is not completed: go on with it (" +
                              work.Command("resume " + object.name) + "), or " + other);
  }
  return AlreadyExistsError(free.message() + ", and nothing is overwritten: remove it, or " +
                            other);
}

// A job that can be gone on with keeps its name.
Status CheckNameFree(const std::string& name, const WorkDirectory& work, api::ObjectStore& store) {
  const Result<api::Object> object = store.Get(api::kJobKind, name);
  if (object.status().code() == StatusCode::kNotFound) return OkStatus();
  PRIMUS_TRY(object.status());
  PRIMUS_ASSIGN(const wire::JobStatus status, StatusOf(*object));
  wire::StoredJob stored;
  const bool is_lost =
      !stored.ParseFromString(object->spec) || CheckStorageFree(stored.storage()).ok();
  if (is_lost || api::IsTrue(status, api::kCompleted)) return OkStatus();
  return AlreadyExistsError("job " + name + " is not completed: go on with it (" +
                            work.Command("resume " + name) + "); to run it from the beginning " +
                            "remove " + stored.storage() + ", or give another metadata.name");
}

// An earlier job of the name goes: its storage is gone or belongs to nobody's name any more. What
// there is to say of that.
Result<std::string> StoreNew(api::ObjectStore& store, const std::string& name,
                             const wire::StoredJob& stored) {
  std::string note;
  const Result<api::Object> before = store.Get(api::kJobKind, name);
  if (before.ok()) {
    wire::StoredJob earlier;
    if (earlier.ParseFromString(before->spec) && earlier.storage() != stored.storage() &&
        std::filesystem::exists(earlier.storage())) {
      note = "the earlier job " + name + " is no longer listed; what it made stays in " +
             earlier.storage();
    }
    PRIMUS_TRY(store.Delete(api::kJobKind, name));
  } else if (before.status().code() != StatusCode::kNotFound) {
    return before.status();
  }
  api::Object object{.kind = std::string(api::kJobKind), .name = name};
  object.spec = stored.SerializeAsString();
  object.status = FreshStatus({});
  object.created = WallNow();
  PRIMUS_TRY(store.Create(object).status());
  return note;
}

Status CheckResumable(const api::Object& object, const wire::StoredJob& stored,
                      const WorkDirectory& work) {
  PRIMUS_ASSIGN(const wire::JobStatus status, StatusOf(object));
  if (api::IsTrue(status, api::kCompleted)) {
    return FailedPreconditionError(
        "job " + object.name + " is completed: there is nothing to go on with; its model is in " +
        stored.storage());
  }
  if (!std::filesystem::is_directory(stored.storage())) {
    return FailedPreconditionError("the storage of job " + object.name + " is gone (" +
                                   stored.storage() + "): start it anew with " +
                                   work.Command("run FILE"));
  }
  return OkStatus();
}

// A failed job stays failed: it begins anew. Attempts and runs go on counting, since the storage
// knows the old ones. Between the two writes it is a failed job, which can be resumed.
Status UpdateStored(api::ObjectStore& store, api::Object object, const wire::StoredJob& stored) {
  PRIMUS_ASSIGN(const wire::JobStatus before, StatusOf(object));
  object.spec = stored.SerializeAsString();
  PRIMUS_ASSIGN(object, store.UpdateSpec(object));
  if (!api::IsTrue(before, api::kFailed)) return OkStatus();
  wire::JobStatus fresh;
  fresh.set_attempt(before.attempt());
  fresh.set_runs(before.runs());
  object.status = FreshStatus(std::move(fresh));
  return store.UpdateStatus(object).status();
}

}  // namespace

Result<PreparedJob> PrepareNew(const config::Job& job, const JobFolders& folders) {
  const WorkDirectory& work = folders.work;
  const std::string& name = job.metadata().name();
  PRIMUS_ASSIGN(const std::string storage, StoragePath(job, work.path));
  StateDirectoryGuard guard(work.path);
  PRIMUS_ASSIGN(WorkDirectoryLock lock, WorkDirectoryLock::Take(work, name));
  PRIMUS_ASSIGN(auto store, OpenStore(work.path));
  PRIMUS_TRY(CheckNameFree(name, work, *store));
  PRIMUS_TRY(CheckFree(storage, job.spec().storage().uri(), work, *store));
  HoldStopSignals();  // until node takes them: what is claimed has an object then
  PRIMUS_TRY(ClaimStorage(storage, job, MakePlugins()));
  wire::StoredJob stored;
  stored.set_job(job.SerializeAsString());
  stored.set_storage(storage);
  stored.set_work_directory(work.path);
  stored.set_job_folder(folders.job_folder);
  Result<std::string> note = StoreNew(*store, name, stored);
  Status written = note.status();
  if (!written.ok()) {
    ReleaseStorage(storage);
    return written;
  }
  guard.Keep();
  lock.Keep();
  return PreparedJob{work, name, storage, std::move(lock), std::move(store), *std::move(note)};
}

Result<PreparedJob> PrepareResume(const std::string& name, const std::vector<std::string>& sets,
                                  const WorkDirectory& work) {
  if (!std::filesystem::exists(ObjectsFile(work.path))) {
    return NotFoundError("no job was ever run in " + work.path +
                         ": give its directory with --workdir");
  }
  PRIMUS_ASSIGN(WorkDirectoryLock lock, WorkDirectoryLock::Take(work, name));
  PRIMUS_ASSIGN(auto store, OpenStore(work.path));
  Result<api::Object> object = store->Get(api::kJobKind, name);
  if (object.status().code() == StatusCode::kNotFound) {
    return NotFoundError("there is no job " + name + " in " + work.path + "; " +
                         work.Command("get jobs") + " lists those that there are");
  }
  PRIMUS_TRY(object.status());
  wire::StoredJob stored;
  config::Job before;
  if (!stored.ParseFromString(object->spec) || !before.ParseFromString(stored.job())) {
    return DataLossError("job " + name + " in " + ObjectsFile(work.path) + " cannot be read");
  }
  PRIMUS_TRY(CheckResumable(*object, stored, work));
  PRIMUS_ASSIGN(const config::Job after, ChangeJob(before, sets, MakePlugins()));
  stored.set_job(after.SerializeAsString());
  stored.set_stop(false);
  stored.set_stop_now(false);
  PRIMUS_TRY(UpdateStored(*store, std::move(*object), stored));
  lock.Keep();
  return PreparedJob{work, name, stored.storage(), std::move(lock), std::move(store)};
}

}  // namespace primus::apps
