// The storage of a job, before the job starts: where it is, whether it is free, and the claim to
// it.
#pragma once

#include <string>

#include "primus/base/result.h"

namespace primus::config {
class Job;
}

namespace primus::apps {

struct Plugins;

// Absolute; relative ones start at the work directory. kInvalidArgument for what is no local path.
Result<std::string> StoragePath(const config::Job& job, const std::string& work_directory);

// Nothing is there yet and it can be made; kAlreadyExists if something is.
Status CheckStorageFree(const std::string& storage);

// Makes the folder with "job.yaml" in it, which only one job can do. What it made goes again on an
// error.
Status ClaimStorage(const std::string& storage, const config::Job& job, const Plugins& plugins);

// Takes a claim back: the job did not start.
void ReleaseStorage(const std::string& storage);

}  // namespace primus::apps
