// A job that is stored, locked and about to start: what `run`, `submit` and `resume` do before
// anything runs. A refusal leaves the work directory as it was.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "apps/primus/work_directory.h"
#include "primus/api/object_store.h"

namespace primus::config {
class Job;
}

namespace primus::apps {

struct Plugins;

struct PreparedJob {
  WorkDirectory work;
  std::string name;
  std::string storage;
  WorkDirectoryLock lock;
  std::unique_ptr<api::ObjectStore> store;
  std::string note{};  // what the user has to know of it; mostly nothing
};

// Where a new job comes from and runs.
struct JobFolders {
  std::string job_folder;  // of the job file, absolute: where relative source paths start
  WorkDirectory work;
};

// A new job; its storage must be free. It takes the place of an earlier one of its name.
Result<PreparedJob> PrepareNew(const config::Job& job, const JobFolders& folders);

// A job of the object store, to go on from its newest save point. `sets` may change what a job may
// change. A completed job is refused; a failed one begins anew, with its attempts and runs counting
// on.
Result<PreparedJob> PrepareResume(const std::string& name, const std::vector<std::string>& sets,
                                  const WorkDirectory& work);

}  // namespace primus::apps
