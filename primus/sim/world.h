// A seeded world: virtual time, and processes whose loops, pools, calls and files all run as
// events on one thread.
//
// Every choice (delays, faults, order of what happens at one instant) comes from the seed, so the
// same seed gives the same history; `hash()` covers all events and is compared over two runs. A
// process can be killed (its events vanish), stopped and continued (its events wait). Single
// threaded; owned by the test.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "primus/base/seeded.h"
#include "primus/base/time.h"
#include "primus/env/environment.h"

namespace primus::sim {

// One life of one process; 0 is the world itself (tests, the network's own events).
using ProcessId = uint64_t;

enum class ProcessState { kRunning, kStopped, kDead };

class World {
 public:
  explicit World(uint64_t seed);
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  ProcessId Spawn(std::string name);
  void Kill(ProcessId process);      // as SIGKILL: nothing of it runs any more
  void Stop(ProcessId process);      // as SIGSTOP
  void Continue(ProcessId process);  // as SIGCONT: what is due runs late
  void ContinueAll();
  ProcessState StateOf(ProcessId process) const;
  const std::string& NameOf(ProcessId process) const;
  // Called in the event that follows a Kill. Replaces the former observer.
  void OnDeath(std::function<void(ProcessId)> observer);

  // How much longer than usual a piece of work off the loop takes. Replaces the former function.
  void OnWork(std::function<Duration()> extra);

  // The environment of a process. Valid as long as the world; works only while it lives.
  env::Environment EnvironmentOf(ProcessId process);

  // Schedules `task` in the life of `process`; dropped if it is dead by then.
  env::TimerId Schedule(ProcessId process, Duration delay, env::Task task);
  void Cancel(env::TimerId timer);

  // Runs events until `done` (checked after each), the queue is empty, or `limit` of virtual time
  // is reached. True if `done`.
  bool RunUntil(const std::function<bool()>& done, Duration limit);
  void RunFor(Duration duration);

  Duration now() const;
  uint64_t hash() const;  // over time, process and order of all events so far
  uint64_t events() const;
  // The world's own draws: faults and delays.
  SeededSequence& random();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace primus::sim
