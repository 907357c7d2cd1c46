// The commands that look at jobs and stop them. They read the object store as it is on disk, so
// they need no running node; `stop` asks the node.
#pragma once

#include <string>

#include "primus/base/result.h"

namespace primus::apps {

int GetJobs(const std::string& work_directory);
int DescribeJob(const std::string& name, const std::string& work_directory);

// kNotFound if there is no such job.
Result<std::string> StorageOfJob(const std::string& name, const std::string& work_directory);

struct LogsOptions {
  std::string name;
  std::string replica;  // "trainer-0"; empty: all
  std::string work_directory = ".";
};
int ShowLogs(const LogsOptions& options);

enum class StopKind { kSave, kNow };
struct StopOptions {
  std::string name;
  std::string work_directory = ".";
  StopKind kind = StopKind::kSave;
};
// Returns when the job is stopped.
int StopJob(const StopOptions& options);

int ShowVersion();

}  // namespace primus::apps
