#include "primus/sim/chaos.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "primus/base/check.h"

namespace primus::sim {
namespace {

constexpr const char* kRoles[] = {"ps", "trainer", "executor", "master"};
constexpr Duration kStopMax = Seconds(25);
constexpr Duration kCutOffMax = Seconds(20);
constexpr Duration kNodePauseMax = Seconds(2);
constexpr Duration kSuspendPoll = Milliseconds(300);

// One entry a weight.
constexpr Harm kUsual[] = {Harm::kKill,     Harm::kKill,    Harm::kKill,   Harm::kKill,
                           Harm::kKillTwo,  Harm::kKillTwo, Harm::kStop,   Harm::kStop,
                           Harm::kCutOff,   Harm::kCutOff,  Harm::kDisown, Harm::kDisown,
                           Harm::kKillNode, Harm::kSuspend};

}  // namespace

Chaos::Chaos(Cluster& cluster, ChaosPlan plan, SeededSequence random)
    : cluster_(cluster), plan_(std::move(plan)), random_(random) {}

void Chaos::Start() {
  cluster_.watch().OnEnter([this](JobState state) { OnEnter(state); });
  Next();
}

void Chaos::Next() {
  // Bursts: often soon after the last, sometimes much later.
  const Duration pause = random_.Below(3) == 0 ? Milliseconds(20) : plan_.pause_max;
  cluster_.world().Schedule(0, Milliseconds(1) + Draw(pause), [this] {
    if (cluster_.world().now() >= plan_.length) return Calm();
    const Harm harm = DrawHarm();
    Do(harm, DrawRole());
    Next();
  });
}

void Chaos::Calm() {
  calm_since_ = cluster_.world().now();
  cluster_.Note("calm");
  Tally hits = std::move(cluster_.faults().hits);
  cluster_.faults() = Faults{};
  cluster_.faults().hits = std::move(hits);
  cluster_.HealPartitions();
  cluster_.world().ContinueAll();
}

void Chaos::OnEnter(JobState state) {
  cluster_.faults().hits.Enter(NameOf(state));
  if (calm_since_) return;
  for (const Ambush& ambush : plan_.ambushes) {
    if (ambush.at != state || random_.NextUnit() >= ambush.probability) continue;
    cluster_.world().Schedule(0, Draw(ambush.delay_max), [this, &ambush] {
      if (!calm_since_) Do(ambush.harm, ambush.role);
    });
  }
}

void Chaos::Count(const std::string& fault, ProcessId victim) {
  cluster_.faults().hits.Hit(fault);
  const std::string whom = victim == 0 ? std::string() : " " + cluster_.world().NameOf(victim);
  cluster_.Note(fault + whom + ", the job: " + NameOf(cluster_.watch().state()));
}

Harm Chaos::DrawHarm() { return kUsual[random_.Below(std::size(kUsual))]; }

std::string Chaos::DrawRole() { return kRoles[random_.Below(std::size(kRoles))]; }

ProcessId Chaos::Pick(const std::string& role) {
  const std::vector<ProcessId> all = cluster_.Processes(role);
  return all.empty() ? 0 : all[random_.Below(all.size())];
}

Duration Chaos::Draw(Duration max) {
  return Duration(static_cast<int64_t>(random_.Below(static_cast<uint64_t>(max.count()) + 1)));
}

void Chaos::Do(Harm harm, const std::string& role) {
  if (harm == Harm::kKillNode) return KillNode();
  if (harm == Harm::kSuspend) return Suspend();
  const ProcessId victim = Pick(role);
  if (victim == 0) return;
  switch (harm) {
    case Harm::kKillTwo:
      return KillTwo(victim, role);
    case Harm::kStop:
      return StopForAWhile(victim, role);
    case Harm::kCutOff:
      return CutOff(victim, role);
    case Harm::kDisown:
      return Disown(victim, role);
    default:
      return Kill(victim, role);
  }
}

void Chaos::Kill(ProcessId victim, const std::string& role) {
  Count("kill " + role, victim);
  cluster_.world().Kill(victim);
}

void Chaos::KillTwo(ProcessId victim, const std::string& role) {
  Kill(victim, role);
  const std::string other = DrawRole();
  const ProcessId second = Pick(other);
  if (second != 0) Kill(second, other);
}

void Chaos::StopForAWhile(ProcessId victim, const std::string& role) {
  Count("stop " + role, victim);
  cluster_.world().Stop(victim);
  cluster_.world().Schedule(0, Draw(kStopMax),
                            [this, victim] { cluster_.world().Continue(victim); });
}

void Chaos::CutOff(ProcessId victim, const std::string& role) {
  Count("partition " + role, victim);
  const Duration length = Draw(kCutOffMax);
  for (const char* other_role : {"ps", "trainer", "executor", "master", "node"}) {
    for (const ProcessId other : cluster_.Processes(other_role)) {
      if (other != victim && random_.Below(2) == 0) cluster_.Partition(victim, other, length);
    }
  }
}

void Chaos::Disown(ProcessId victim, const std::string& role) {
  Count("disown " + role, victim);
  cluster_.Disown(victim);
}

void Chaos::KillNode() {
  const ProcessId node = Pick("node");
  if (node == 0 || std::exchange(node_down_, true)) return;
  Count("kill node");
  cluster_.world().Kill(node);
  cluster_.world().Schedule(0, Milliseconds(50) + Draw(kNodePauseMax), [this] {
    node_down_ = false;
    const Status started = cluster_.Start();
    PRIMUS_CHECK(started.ok() || cluster_.Ending() != "no end", started.ToString());
  });
}

void Chaos::Suspend() {
  if (node_down_ || std::exchange(suspending_, true)) return;
  Count("suspend");
  cluster_.StopJob();
  ResumeWhenSuspended();
}

void Chaos::ResumeWhenSuspended() {
  cluster_.world().Schedule(0, Draw(kSuspendPoll), [this] {
    // A node that died and came back has resumed the job already.
    if (!cluster_.IsSuspended()) {
      suspending_ = !cluster_.Over();
      return suspending_ ? ResumeWhenSuspended() : void();
    }
    suspending_ = false;
    const Status resumed = cluster_.ResumeJob();
    PRIMUS_CHECK(resumed.ok(), resumed.ToString());
  });
}

}  // namespace primus::sim
