// primus-sim: runs seeded jobs in the simulator. A failure prints the command that replays it.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>

#include "primus/sim/chaos.h"
#include <CLI/CLI.hpp>

namespace {

using primus::sim::RunReport;

void PrintFailure(uint64_t seed, const RunReport& report) {
  for (const std::string& line : report.tail) std::fprintf(stderr, "  %s\n", line.c_str());
  std::fprintf(stderr,
               "seed %llu failed at %.3f s: %s\nreplay: primus-sim --first %llu --seeds 1\n",
               static_cast<unsigned long long>(seed), primus::ToSeconds(report.virtual_time),
               report.status.ToString().c_str(), static_cast<unsigned long long>(seed));
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Runs whole jobs in a simulated cluster, one for each seed"};
  uint64_t first = 1;
  uint64_t seeds = 1;
  bool twice = false;
  bool stop_at_failure = false;
  app.add_option("--first", first, "The first seed");
  app.add_option("--seeds", seeds, "How many seeds");
  app.add_flag("--twice", twice, "Run each seed twice and compare the hashes of all events");
  app.add_flag("--stop", stop_at_failure, "Stop at the first failure");
  CLI11_PARSE(app, argc, argv);
  uint64_t failed = 0;
  uint64_t rollbacks = 0;
  uint64_t events = 0;
  std::map<std::string, uint64_t> hits;
  for (uint64_t seed = first; seed < first + seeds; ++seed) {
    RunReport report = primus::sim::RunSeed(seed);
    if (twice && primus::sim::RunSeed(seed).hash != report.hash) {
      report.status = primus::InternalError("a second run had another history");
    }
    rollbacks += report.rollbacks;
    events += report.events;
    for (const auto& [name, count] : report.hits) hits[name] += count;
    if (report.status.ok()) continue;
    ++failed;
    PrintFailure(seed, report);
    if (stop_at_failure) break;
  }
  for (const auto& [name, count] : hits) {
    std::printf("%-28s %llu\n", name.c_str(), static_cast<unsigned long long>(count));
  }
  std::printf("%llu events, %llu rollbacks\n", static_cast<unsigned long long>(events),
              static_cast<unsigned long long>(rollbacks));
  std::printf("%llu passed, %llu failed\n", static_cast<unsigned long long>(seeds - failed),
              static_cast<unsigned long long>(failed));
  return failed == 0 ? 0 : 1;
}
