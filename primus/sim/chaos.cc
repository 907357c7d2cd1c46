#include "primus/sim/chaos.h"

#include <algorithm>

namespace primus::sim {
namespace {

constexpr Duration kCalmMax = Seconds(3600);
constexpr const char* kRoles[] = {"ps", "trainer", "executor", "master"};

// Half of the kinds of fault are armed in a run, each with a strength of its own.
double Armed(SeededSequence& random, double strongest) {
  return random.Below(2) == 0 ? 0 : strongest * random.NextUnit();
}

ClusterOptions Draw(uint64_t seed, SeededSequence& random) {
  ClusterOptions options;
  options.seed = seed;
  options.ps = 1 + static_cast<uint32_t>(random.Below(3));
  options.trainers = 1 + static_cast<uint32_t>(random.Below(3));
  options.executors = 1 + static_cast<uint32_t>(random.Below(3));
  options.passes = 1 + static_cast<uint32_t>(random.Below(3));
  options.batch_size = 1 + static_cast<uint32_t>(random.Below(24));
  options.save_every = Milliseconds(20 + static_cast<int64_t>(random.Below(600)));
  options.data.chunk_rows = 1 + random.Below(100);
  for (uint64_t windows = 1 + random.Below(6); windows > 0; --windows) {
    options.data.window_rows.push_back(random.Below(5) == 0 ? 0 : 1 + random.Below(300));
  }
  Faults& faults = options.faults;
  faults.drop = Armed(random, 0.05);
  faults.duplicate = Armed(random, 0.2);
  faults.slow = Armed(random, 0.1);
  faults.put_fails = Armed(random, 0.2);
  faults.put_unknown = Armed(random, 0.2);
  faults.disk_full = Armed(random, 0.02);
  faults.launch_fails = Armed(random, 0.1);
  faults.late_notice = Armed(random, 0.5);
  return options;
}

class Chaos {
 public:
  Chaos(Cluster& cluster, SeededSequence random) : cluster_(cluster), random_(random) {}

  // Schedules harm until `end`, then ends it.
  void Start(Duration end) {
    end_ = end;
    Next();
  }
  bool over() const { return over_; }
  const std::map<std::string, uint64_t>& hits() const { return hits_; }

 private:
  void Next() {
    // Bursts: often soon after the last, sometimes much later.
    const int64_t scale_ms = random_.Below(3) == 0 ? 20 : 700;
    const Duration delay =
        Milliseconds(1 + static_cast<int64_t>(random_.Below(static_cast<uint64_t>(scale_ms))));
    cluster_.world().Schedule(0, delay, [this] {
      if (cluster_.world().now() >= end_) return Calm();
      Harm();
      Next();
    });
  }

  void Calm() {
    over_ = true;
    cluster_.faults() = Faults{.hits = cluster_.faults().hits};
    cluster_.world().ContinueAll();
  }

  ProcessId Pick(const std::string& role) {
    const std::vector<ProcessId> all = cluster_.Processes(role);
    return all.empty() ? 0 : all[random_.Below(all.size())];
  }

  void Harm() {
    const std::string role = kRoles[random_.Below(std::size(kRoles))];
    const ProcessId victim = Pick(role);
    if (victim == 0) return;
    switch (random_.Below(8)) {
      case 0:
      case 1:
      case 2:
      case 3:
        ++hits_["kill " + role];
        return cluster_.world().Kill(victim);
      case 4: {
        ++hits_["kill two, one " + role];
        cluster_.world().Kill(victim);
        const ProcessId other = Pick(kRoles[random_.Below(std::size(kRoles))]);
        if (other != 0) cluster_.world().Kill(other);
        return;
      }
      case 5:
        return StopForAWhile(victim, role);
      case 6:
        return CutOff(victim, role);
      default:
        return KillNode();
    }
  }

  void StopForAWhile(ProcessId victim, const std::string& role) {
    ++hits_["stop " + role];
    cluster_.world().Stop(victim);
    const Duration length = Milliseconds(static_cast<int64_t>(random_.Below(25000)));
    cluster_.world().Schedule(0, length, [this, victim] { cluster_.world().Continue(victim); });
  }

  void CutOff(ProcessId victim, const std::string& role) {
    ++hits_["partition " + role];
    const Duration length = Milliseconds(static_cast<int64_t>(random_.Below(20000)));
    for (const char* other_role : kRoles) {
      const ProcessId other = Pick(other_role);
      if (other != 0 && other != victim) cluster_.Partition(victim, other, length);
    }
  }

  void KillNode() {
    if (random_.Below(3) != 0 || node_down_) return;
    ++hits_["kill node"];
    node_down_ = true;
    cluster_.world().Kill(Pick("node"));
    const Duration pause = Milliseconds(50 + static_cast<int64_t>(random_.Below(2000)));
    cluster_.world().Schedule(0, pause, [this] {
      node_down_ = false;
      const Status started = cluster_.Start();
      PRIMUS_CHECK(started.ok() || cluster_.Ending() != "no end", started.ToString());
    });
  }

  Cluster& cluster_;
  SeededSequence random_;
  Duration end_{0};
  bool over_ = false;
  bool node_down_ = false;
  std::map<std::string, uint64_t> hits_;
};

Status Judge(Cluster& cluster, bool ended) {
  if (!ended) {
    return DeadlineExceededError("the job did not end after the faults stopped");
  }
  if (cluster.Ending() != "Completed") return InternalError("the job " + cluster.Ending());
  PRIMUS_TRY(cluster.CheckRows());
  return cluster.CheckCounts();
}

}  // namespace

RunReport RunSeed(uint64_t seed) {
  SeededSequence random(Mix64(seed, 77));
  Cluster cluster(Draw(seed, random));
  RunReport report;
  report.status = cluster.Start();
  if (!report.status.ok()) return report;
  Chaos chaos(cluster, SeededSequence(random.Next()));
  const Duration length = Seconds(1 + static_cast<int64_t>(random.Below(60)));
  if (random.Below(20) != 0) chaos.Start(length);
  const bool ended =
      cluster.world().RunUntil([&cluster] { return cluster.Over(); }, length + kCalmMax);
  report.status = Judge(cluster, ended);
  report.ending = cluster.Ending();
  report.hash = cluster.world().hash();
  report.events = cluster.world().events();
  report.virtual_time = cluster.world().now();
  report.rollbacks = cluster.rollbacks();
  report.hits = cluster.faults().hits;
  for (const auto& [name, count] : chaos.hits()) report.hits[name] += count;
  report.tail = cluster.tail();
  return report;
}

}  // namespace primus::sim
