// What is left of a finished run for people: summary.json and a one-page report.html in the job's
// storage, and a few lines on the terminal.
#pragma once

#include <string>

#include "primus/base/status.h"

namespace primus::wire {
class JobStatus;
}

namespace primus::apps {

struct ReportInput {
  const std::string& job;
  const std::string& storage;  // absolute path
  const wire::JobStatus& status;
  double seconds = 0;
};

// Replaces both files, whole or not at all. A job without a master has no numbers: then the page
// says how it ended, and no more.
Status WriteReport(const ReportInput& input);

// Rows by kind, quality and baselines, one a line; empty for a job without a master.
std::string SummaryText(const wire::JobStatus& status);

}  // namespace primus::apps
