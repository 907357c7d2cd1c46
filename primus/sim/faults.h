// How often the world does harm, per event. Zero everywhere is a world without faults. Counters say
// how often each did happen, for the report of a run.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "primus/base/time.h"

namespace primus::sim {

struct Faults {
  // Network, per message.
  double drop = 0;
  double duplicate = 0;
  double slow = 0;  // a delay up to `slow_max` instead of the usual
  Duration slow_max = Milliseconds(1500);
  // Store, per put: nothing written and an error; written and an error; disk full for a while.
  double put_fails = 0;
  double put_unknown = 0;
  double disk_full = 0;
  // Runtime, per launch or exit.
  double launch_fails = 0;
  double late_notice = 0;

  std::map<std::string, uint64_t> hits;
};

}  // namespace primus::sim
