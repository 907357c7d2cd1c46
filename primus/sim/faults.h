// How often the world does harm, per event. Zero everywhere is a world without faults. The tally
// says how often each did happen, and in which state of the job, for the report of a run.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "primus/base/time.h"

namespace primus::sim {

// Counts by fault, then by the state of the job in which it struck. Value.
class Tally {
 public:
  using Counts = std::map<std::string, std::map<std::string, uint64_t>>;

  void Enter(std::string state) { state_ = std::move(state); }
  void Hit(const std::string& fault) { ++counts_[fault][state_]; }
  const Counts& counts() const { return counts_; }

 private:
  std::string state_ = "no master";
  Counts counts_;
};

struct Faults {
  // Network, per message.
  double drop = 0;
  double duplicate = 0;
  double slow = 0;  // a delay up to `slow_max` instead of the usual
  Duration slow_max = Milliseconds(1500);
  double late_copy = 0;  // once more, up to `late_max` later
  Duration late_max = Seconds(8);
  // Store, per put: nothing written and an error; written and an error; disk full for a while. Per
  // deletion: nothing deleted and an error.
  double put_fails = 0;
  double put_unknown = 0;
  double delete_fails = 0;
  double disk_full = 0;
  // Work off the loop, per piece (reads, writes): takes up to `slow_work_max` more.
  double slow_work = 0;
  Duration slow_work_max = Seconds(3);
  // Runtime, per launch, exit or kill: no launch; the exit is noticed late; the exit is noticed,
  // but the process goes on for a while.
  double launch_fails = 0;
  double late_notice = 0;
  double late_kill = 0;

  Tally hits;
};

}  // namespace primus::sim
