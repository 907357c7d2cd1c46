// What goes wrong in one run, drawn from the seed: harm at random times, and ambushes, which strike
// when the job enters a state. Then calm, in which the job must end.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "primus/base/seeded.h"
#include "primus/sim/cluster.h"

namespace primus::sim {

enum class Harm {
  kKill,
  kKillTwo,
  kStop,    // as SIGSTOP, then SIGCONT
  kCutOff,  // no message to some of the others, for a while
  kDisown,  // the runtime says that it is gone, but it goes on
  kKillNode,
  kSuspend,  // the user stops the job, and resumes it
};

struct Ambush {
  JobState at = JobState::kRun;
  Harm harm = Harm::kKill;
  std::string role;
  double probability = 0;
  Duration delay_max{0};
};

struct ChaosPlan {
  Duration length{0};     // of the harm
  Duration pause_max{0};  // between two
  std::vector<Ambush> ambushes;
};

class Chaos {
 public:
  Chaos(Cluster& cluster, ChaosPlan plan, SeededSequence random);

  void Start();
  // When the harm ended; nothing before.
  std::optional<Duration> calm_since() const { return calm_since_; }

 private:
  void Next();
  void Calm();
  void OnEnter(JobState state);
  Harm DrawHarm();
  void Do(Harm harm, const std::string& role);
  void Kill(ProcessId victim, const std::string& role);
  void KillTwo(ProcessId victim, const std::string& role);
  void StopForAWhile(ProcessId victim, const std::string& role);
  void CutOff(ProcessId victim, const std::string& role);
  void Disown(ProcessId victim, const std::string& role);
  void KillNode();
  void Suspend();
  void ResumeWhenSuspended();
  ProcessId Pick(const std::string& role);
  std::string DrawRole();
  void Count(const std::string& fault, ProcessId victim = 0);
  Duration Draw(Duration max);

  Cluster& cluster_;
  const ChaosPlan plan_;
  SeededSequence random_;
  bool node_down_ = false;
  bool suspending_ = false;
  std::optional<Duration> calm_since_;
};

}  // namespace primus::sim
