// Node in this process, with one job: the whole life of `primus run`, `resume` and `node`.
#pragma once

#include <functional>
#include <memory>

#include "apps/primus/prepared_job.h"
#include "primus/base/result.h"

namespace primus::wire {
class JobStatus;
}

namespace primus::apps {

struct NodeProcessOptions {
  // The job's status, about twice a second and once at the end.
  std::function<void(const wire::JobStatus&)> on_status;
  // The node serves and the job has started.
  std::function<void()> on_started{};
  // Ctrl-C for the first time: the job is being saved.
  std::function<void()> on_stopping{};
};

// Runs the job until it is over and nothing of it is left; its last status. SIGINT, SIGTERM and
// SIGHUP stop it with a save point, a second one at once.
Result<std::unique_ptr<wire::JobStatus>> RunNodeProcess(PreparedJob prepared,
                                                        const NodeProcessOptions& options);

}  // namespace primus::apps
