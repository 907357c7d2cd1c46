// A whole job in a world: node, master, executors, trainers and ps, their real cores and shells,
// over counted rows. Kills, stops and partitions come from the test or from `Chaos`.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "primus/base/result.h"
#include "primus/sim/counted_rows.h"
#include "primus/sim/counting_store.h"
#include "primus/sim/faults.h"
#include "primus/sim/world.h"

namespace primus::sim {

struct ClusterOptions {
  uint64_t seed = 1;
  uint32_t ps = 2;
  uint32_t trainers = 2;
  uint32_t executors = 2;
  uint32_t passes = 2;
  uint32_t batch_size = 16;
  CountedDataOptions data;
  Duration save_every = Milliseconds(300);
  Faults faults;
};

class Cluster {
 public:
  explicit Cluster(ClusterOptions options);
  ~Cluster();

  World& world();
  Faults& faults();
  // Starts node with the job in it; again after a kill of node, which resumes the job.
  Status Start();

  // The job reached a terminal condition and nothing of it runs.
  bool Over() const;
  // "Completed", "Failed: <message>", …
  std::string Ending() const;
  // Every key of the newest save point exactly as often as there are passes, and no other key.
  Status CheckCounts() const;
  // Rows of the newest save point balance, and all are there.
  Status CheckRows() const;

  // Live processes by role: "ps", "trainer", "executor", "master", "node".
  std::vector<ProcessId> Processes(const std::string& role) const;
  void Partition(ProcessId a, ProcessId b, Duration duration);
  uint64_t rollbacks() const;
  // The log's last lines, for a failure.
  std::vector<std::string> tail() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace primus::sim
