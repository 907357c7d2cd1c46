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
  std::string work_directory;
  std::string name;
  std::string storage;
  WorkDirectoryLock lock;
  std::unique_ptr<api::ObjectStore> store;
};

// Where a new job comes from and runs; absolute.
struct JobFolders {
  std::string job_folder;  // of the job file: where relative source paths start
  std::string work_directory;
};

// A new job; its storage must be free.
Result<PreparedJob> PrepareNew(const config::Job& job, const JobFolders& folders);

// A job of the object store, to go on from its newest save point. `sets` may change what a job may
// change. A completed job is refused; of a failed one a new object is made, and the old one stays
// as "<name>.<n>".
Result<PreparedJob> PrepareResume(const std::string& name, const std::vector<std::string>& sets,
                                  const std::string& work_directory);

}  // namespace primus::apps
