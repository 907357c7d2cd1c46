// The commands that start a job. Each is the whole life of its process and gives its exit code:
// 0 completed, 1 failed, 2 the user's input is wrong, 130 interrupted.
#pragma once

#include <string>
#include <vector>

#include "apps/primus/job_file.h"

namespace primus::apps {

enum class OutputFormat { kText, kJson };

struct RunOptions {
  JobFileInput file;
  std::string work_directory = ".";
  OutputFormat output = OutputFormat::kText;
};
int RunJob(const RunOptions& options);

// Starts the job in a node of its own in the background and returns.
int SubmitJob(const RunOptions& options);

struct ResumeOptions {
  std::string name;
  std::string work_directory = ".";
  std::vector<std::string> sets;
  OutputFormat output = OutputFormat::kText;
};
int ResumeJob(const ResumeOptions& options);

// The node of a submitted job: its object is stored, its lock is descriptor 3. Says "started" on
// standard output, or why not.
struct BackgroundOptions {
  std::string name;
  std::string work_directory;
};
int RunBackgroundNode(const BackgroundOptions& options);

int CheckJobFile(const JobFileInput& input);

// Exit code of a refusal or failure before anything ran; prints it.
int Refuse(const Status& status);

}  // namespace primus::apps
