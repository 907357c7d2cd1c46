#include "primus/data/data_check.h"

#include <chrono>
#include <utility>
#include <vector>

#include "primus/data/chain_plan.h"
#include "primus/data/stream_sources.h"
#include "primus/data/window_calendar.h"

#include "proto/config/job.pb.h"

namespace primus::data {
namespace {

using Days = std::vector<std::chrono::sys_days>;

// As RequestOf in arrow_row_streams.h, but of all features that the job names.
ChainRequest RequestOf(const config::Job& job, const config::Stream& stream) {
  ChainRequest request;
  request.stream = &stream;
  request.reads_event_time = job.spec().has_evaluate();
  request.label_column = job.spec().model().label().column();
  for (const config::Feature& feature : job.spec().model().features()) {
    const std::string& table = feature.table().empty() ? feature.name() : feature.table();
    request.features.push_back({jobspec::FeatureSpecOf(feature), table});
  }
  return request;
}

// Each window must have files of its own, or the same rows would count once a window.
void CheckWindows(const config::Stream& stream, const StreamSources& sources, const Days& days,
                  SpecProblems& problems) {
  if (days.size() < 2) return;
  const std::string first = sources.base().Describe(days[0]);
  if (first != sources.base().Describe(days[1])) return;
  problems.push_back(
      {"spec.data.streams[" + stream.name() + "].sources[" + stream.base() + "]",
       "expected a path with the window's date ({{YYYY}}, {{MM}}, {{DD}}): windows " +
           WindowName(days[0]) + " and " + WindowName(days[1]) + " would both read " + first});
}

// What all streams are checked with.
struct Surroundings {
  const Days& days;
  const DataSlots& slots;
  const std::string& root;
};

void CheckStream(const ChainRequest& request, const Surroundings& around, SpecProblems& problems) {
  const std::size_t before = problems.size();
  const auto sources = StreamSources::Create(*request.stream, around.slots, around.root, problems);
  if (!sources || problems.size() > before) return;
  CheckWindows(*request.stream, *sources, around.days, problems);
  const SourceSchemas schemas = sources->LoadSchemas(around.days, problems);
  if (problems.size() > before) return;
  PlanChain(request, schemas, around.slots.operators, problems);
}

}  // namespace

SpecProblems CheckData(const config::Job& job, const DataSlots& slots, const std::string& root) {
  SpecProblems problems;
  const auto days = DaysOf(job.spec().data().range());
  if (!days.ok()) {
    problems.push_back({"spec.data.range", days.status().message()});
    return problems;
  }
  for (const config::Stream& stream : job.spec().data().streams()) {
    CheckStream(RequestOf(job, stream), {*days, slots, root}, problems);
  }
  return problems;
}

}  // namespace primus::data
