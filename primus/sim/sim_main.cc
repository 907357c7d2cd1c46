// primus-sim: runs seeded jobs in the simulator. A failure prints the command that replays it; the
// end shows how often each fault met each state of the job.
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "primus/sim/apart.h"
#include "primus/sim/job_watch.h"
#include <CLI/CLI.hpp>

namespace {

using primus::sim::RunReport;
using primus::sim::Tally;

struct Options {
  uint64_t first = 1;
  uint64_t seeds = 0;
  std::string list;
  bool twice = false;
  bool stop = false;
  bool log = false;
};

struct Totals {
  uint64_t passed = 0;
  uint64_t failed = 0;
  uint64_t rollbacks = 0;
  uint64_t events = 0;
  Tally::Counts hits;
};

// One seed a line; what follows it on the line says why it is kept. '#' starts a comment.
bool ReadList(const std::string& path, std::vector<uint64_t>* seeds) {
  std::ifstream in(path);
  std::string line;
  while (std::getline(in, line)) {
    if (!line.empty() && line[0] != '#') seeds->push_back(std::stoull(line));
  }
  return in.eof();
}

RunReport RunOnce(uint64_t seed, const Options& options) {
  const auto print = [](std::string_view line) {
    std::fprintf(stderr, "%.*s\n", static_cast<int>(line.size()), line.data());
  };
  RunReport report = options.log ? primus::sim::RunSeedApart(seed, print)
                                 : primus::sim::RunSeedApart(seed, nullptr);
  if (options.twice && report.status.ok() &&
      primus::sim::RunSeedApart(seed, nullptr).hash != report.hash) {
    report.status = primus::InternalError("a second run had another history");
  }
  return report;
}

void PrintFailure(uint64_t seed, const RunReport& report) {
  for (const std::string& line : report.tail) std::fprintf(stderr, "  %s\n", line.c_str());
  std::fprintf(stderr,
               "seed %llu failed at %.3f s: %s\nreplay: primus-sim --first %llu --seeds 1 --log\n",
               static_cast<unsigned long long>(seed), primus::ToSeconds(report.virtual_time),
               report.status.ToString().c_str(), static_cast<unsigned long long>(seed));
}

void Add(const RunReport& report, Totals* totals) {
  ++(report.status.ok() ? totals->passed : totals->failed);
  totals->rollbacks += report.rollbacks;
  totals->events += report.events;
  for (const auto& [fault, states] : report.hits) {
    for (const auto& [state, count] : states) totals->hits[fault][state] += count;
  }
}

void PrintTable(const Tally::Counts& hits) {
  std::printf("%-22s", "fault \\ state");
  for (int state = 0; state < primus::sim::kJobStates; ++state) {
    std::printf("%10s", NameOf(static_cast<primus::sim::JobState>(state)).c_str());
  }
  std::printf("\n");
  for (const auto& [fault, states] : hits) {
    std::printf("%-22s", fault.c_str());
    for (int state = 0; state < primus::sim::kJobStates; ++state) {
      const auto it = states.find(NameOf(static_cast<primus::sim::JobState>(state)));
      std::printf("%10llu", static_cast<unsigned long long>(it == states.end() ? 0 : it->second));
    }
    std::printf("\n");
  }
}

int Run(const Options& options) {
  std::vector<uint64_t> seeds;
  if (!options.list.empty() && !ReadList(options.list, &seeds)) {
    std::fprintf(stderr, "cannot read %s\n", options.list.c_str());
    return 2;
  }
  for (uint64_t i = 0; i < options.seeds; ++i) seeds.push_back(options.first + i);
  Totals totals;
  for (const uint64_t seed : seeds) {
    const RunReport report = RunOnce(seed, options);
    Add(report, &totals);
    if (report.status.ok()) continue;
    PrintFailure(seed, report);
    if (options.stop) break;
  }
  PrintTable(totals.hits);
  std::printf("%llu events, %llu rollbacks\n%llu passed, %llu failed\n",
              static_cast<unsigned long long>(totals.events),
              static_cast<unsigned long long>(totals.rollbacks),
              static_cast<unsigned long long>(totals.passed),
              static_cast<unsigned long long>(totals.failed));
  return totals.failed == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Runs whole jobs in a simulated cluster, one for each seed"};
  Options options;
  app.add_option("--first", options.first, "The first seed");
  app.add_option("--seeds", options.seeds, "How many seeds");
  app.add_option("--list", options.list, "A file of seeds to run first, one a line");
  app.add_flag("--twice", options.twice,
               "Run each seed twice and compare the hashes of all events");
  app.add_flag("--stop", options.stop, "Stop at the first failure");
  app.add_flag("--log", options.log, "Print every line that every process logs");
  CLI11_PARSE(app, argc, argv);
  return Run(options);
}
