#include "primus/sim/seeded_run.h"

#include <deque>
#include <iterator>

#include "primus/sim/chaos.h"

namespace primus::sim {
namespace {

constexpr Duration kCalmMax = Seconds(3600);
// A process that the runtime gave up hears so within this time, and ends.
constexpr Duration kRefusedWithin = Seconds(120);
constexpr std::size_t kTail = 60;

// Half of the kinds of fault are armed in a run, each with a strength of its own.
double Armed(SeededSequence& random, double strongest) {
  return random.Below(2) == 0 ? 0 : strongest * random.NextUnit();
}

Duration Between(SeededSequence& random, Duration least, Duration most) {
  const auto width = static_cast<uint64_t>((most - least).count());
  return least + Duration(static_cast<int64_t>(random.Below(width)));
}

Faults DrawFaults(SeededSequence& random) {
  Faults faults;
  faults.drop = Armed(random, 0.05);
  faults.duplicate = Armed(random, 0.2);
  faults.slow = Armed(random, 0.1);
  faults.slow_max = Between(random, Milliseconds(20), Seconds(4));
  faults.late_copy = Armed(random, 0.05);
  faults.late_max = Between(random, Milliseconds(100), Seconds(12));
  faults.put_fails = Armed(random, 0.2);
  faults.put_unknown = Armed(random, 0.2);
  faults.disk_full = Armed(random, 0.02);
  faults.slow_work = Armed(random, 0.03);
  faults.slow_work_max = Between(random, Milliseconds(20), Seconds(5));
  faults.launch_fails = Armed(random, 0.1);
  faults.late_notice = Armed(random, 0.5);
  faults.late_kill = Armed(random, 0.8);
  return faults;
}

ClusterOptions DrawJob(uint64_t seed, SeededSequence& random) {
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
  options.faults = DrawFaults(random);
  return options;
}

Ambush DrawAmbush(SeededSequence& random) {
  constexpr JobState kStates[] = {JobState::kAsking, JobState::kFenced, JobState::kRestore,
                                  JobState::kRun,    JobState::kHold,   JobState::kFreeze,
                                  JobState::kWrite,  JobState::kCommit};
  constexpr Harm kHarms[] = {Harm::kKill,   Harm::kKill,   Harm::kStop,
                             Harm::kCutOff, Harm::kDisown, Harm::kKillTwo};
  constexpr const char* kRoles[] = {"ps", "trainer", "executor", "master"};
  constexpr Duration kDelays[] = {Duration(0), Microseconds(400), Milliseconds(15)};
  return {.at = kStates[random.Below(std::size(kStates))],
          .harm = kHarms[random.Below(std::size(kHarms))],
          .role = kRoles[random.Below(std::size(kRoles))],
          .probability = 0.02 + 0.4 * random.NextUnit(),
          .delay_max = kDelays[random.Below(std::size(kDelays))]};
}

ChaosPlan DrawPlan(SeededSequence& random) {
  ChaosPlan plan;
  // One run in twenty is left in peace.
  if (random.Below(20) == 0) return plan;
  plan.length = Between(random, Seconds(1), Seconds(60));
  plan.pause_max = Between(random, Milliseconds(100), Seconds(4));
  for (uint64_t count = random.Below(4); count > 0; --count) {
    plan.ambushes.push_back(DrawAmbush(random));
  }
  return plan;
}

Status Judge(Cluster& cluster, const Chaos& chaos, bool stopped) {
  PRIMUS_TRY(cluster.verdict());
  if (!stopped) {
    return DeadlineExceededError("the job did not end after the faults stopped; its state: " +
                                 NameOf(cluster.watch().state()));
  }
  if (cluster.Ending() != "Completed") return InternalError("the job " + cluster.Ending());
  const bool refused_by_now = chaos.calm_since().has_value() &&
                              cluster.world().now() - *chaos.calm_since() > kRefusedWithin;
  if (refused_by_now && !cluster.Disowned().empty()) {
    return InternalError(cluster.world().NameOf(cluster.Disowned().front()) +
                         " was replaced and never ended");
  }
  return cluster.CheckComplete();
}

}  // namespace

RunReport RunSeed(uint64_t seed, const std::function<void(std::string_view)>& log) {
  SeededSequence random(Mix64(seed, 77));
  std::deque<std::string> tail;
  Cluster cluster(DrawJob(seed, random), [&tail, &log](std::string_view line) {
    if (log) log(line);
    tail.emplace_back(line);
    if (tail.size() > kTail) tail.pop_front();
  });
  Chaos chaos(cluster, DrawPlan(random), SeededSequence(random.Next()));
  RunReport report;
  report.status = cluster.Start();
  if (!report.status.ok()) return report;
  chaos.Start();
  const auto done = [&cluster] { return cluster.Over() || !cluster.verdict().ok(); };
  const bool stopped = cluster.world().RunUntil(done, Seconds(60) + kCalmMax);
  report.status = Judge(cluster, chaos, stopped);
  report.ending = cluster.Ending();
  report.hash = cluster.world().hash();
  report.events = cluster.world().events();
  report.virtual_time = cluster.world().now();
  report.rollbacks = cluster.rollbacks();
  report.hits = cluster.faults().hits.counts();
  report.tail = {tail.begin(), tail.end()};
  return report;
}

}  // namespace primus::sim
