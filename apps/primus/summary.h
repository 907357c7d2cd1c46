// The last line of `run --output json`.
#pragma once

#include <string>

namespace primus::wire {
class JobStatus;
}

namespace primus::apps {

// One JSON object: the summary that the master left in the status, with `job`, `condition` and
// `seconds`; every key of the documented shape is there, null or 0 where the job has no such thing.
std::string SummaryLine(const std::string& job, const wire::JobStatus& status, double seconds);

}  // namespace primus::apps
