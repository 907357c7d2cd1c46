// What a master tells people of its job: the metrics, streams, save point and summary in the Job's
// status. Keeps the clock of the training passes; decides nothing. Loop thread only.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "primus/base/time.h"
#include "primus/env/event_loop.h"
#include "primus/master/core.h"

namespace primus::wire {
class JobStatus;
}

namespace primus::apps {

struct ReportedJob {
  std::string name;
  std::string stream;
  std::string storage;  // absolute path
};

class JobReporter {
 public:
  JobReporter(ReportedJob job, const env::Clock& clock) : job_(std::move(job)), clock_(clock) {}

  // Called after every turn of the master, so that no phase is too short to be timed.
  void Observe(const master::Core& core);
  // Called about once a second while the job runs, and at its end.
  void Describe(const master::Core& core, wire::JobStatus* status);

 private:
  // Seconds and rows of each phase while this master saw it.
  struct PhaseClock {
    Instant begin{};
    Instant end{};
    uint64_t rows_before = 0;
    uint64_t rows = 0;
  };
  double TrainingRate(const master::Core& core) const;
  void DescribeMetrics(const master::Core& core, wire::JobStatus* status) const;
  std::string Summary(const master::Core& core) const;

  const ReportedJob job_;
  const env::Clock& clock_;
  std::map<uint32_t, PhaseClock> phases_;
};

}  // namespace primus::apps
