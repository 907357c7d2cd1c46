// A whole job in a world: node, master, executors, trainers and ps, their real cores and shells,
// over counted rows, with every oracle on. Harm comes from the test or from `Chaos`.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "primus/base/result.h"
#include "primus/sim/cluster_options.h"
#include "primus/sim/job_watch.h"
#include "primus/sim/world.h"

namespace primus::sim {

class Cluster {
 public:
  // `log` receives every line of every process, as it is written.
  Cluster(ClusterOptions options, std::function<void(std::string_view)> log);
  ~Cluster();

  World& world();
  Faults& faults();
  JobWatch& watch();
  // Starts node with the job in it; again after a kill of node, which resumes the job.
  Status Start();

  // The user's wish to save and stop.
  void StopJob();
  // The job is suspended and nothing of it runs, under a node that lives.
  bool IsSuspended() const;
  Status ResumeJob();

  // The job reached a terminal condition and nothing of it runs.
  bool Over() const;
  // "Completed", "Failed: <message>", …
  std::string Ending() const;
  // What the oracles found first.
  const Status& verdict() const;
  // The end of all data is saved, and so was every row of every pass.
  Status CheckComplete() const;

  // Live processes by role: "ps", "trainer", "executor", "master", "node".
  std::vector<ProcessId> Processes(const std::string& role) const;
  void Partition(ProcessId a, ProcessId b, Duration duration);
  void HealPartitions();
  // The container of `process` is reported as gone, but the process goes on.
  void Disown(ProcessId process);
  // Processes that go on although the runtime has given them up.
  std::vector<ProcessId> Disowned() const;
  uint64_t rollbacks() const;
  // A line of the world's own in the log.
  void Note(const std::string& what);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace primus::sim
