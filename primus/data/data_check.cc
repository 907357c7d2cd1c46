#include "primus/data/data_check.h"

#include <algorithm>
#include <chrono>
#include <utility>
#include <vector>

#include "primus/config/nearest_name.h"
#include "primus/data/chain_plan.h"
#include "primus/data/stream_sources.h"
#include "primus/data/window_calendar.h"

#include "proto/config/job.pb.h"

namespace primus::data {
namespace {

using Days = std::vector<std::chrono::sys_days>;

FeatureRequest RequestOf(const config::Feature& feature) {
  FeatureRequest request;
  request.spec.name = feature.name();
  request.table = feature.table().empty() ? feature.name() : feature.table();
  if (feature.has_dense()) {
    request.spec.source = jobspec::FeatureSource::kDense;
    request.spec.has_missing = feature.dense().has_missing();
    request.spec.missing = feature.dense().missing();
  } else if (feature.has_multi_hot()) {
    request.spec.source = jobspec::FeatureSource::kMultiHot;
  }
  if (feature.has_multi_hot()) {
    const auto& columns = feature.multi_hot().columns();
    request.spec.columns.assign(columns.begin(), columns.end());
  } else {
    request.spec.columns = {feature.column()};
  }
  return request;
}

ChainRequest RequestOf(const config::Job& job, const config::Stream& stream) {
  ChainRequest request;
  request.stream = &stream;
  request.reads_event_time = job.spec().has_evaluate();
  request.label_column = job.spec().model().label().column();
  for (const config::Feature& feature : job.spec().model().features()) {
    request.features.push_back(RequestOf(feature));
  }
  return request;
}

class StreamCheck {
 public:
  StreamCheck(const config::Stream& stream, SpecProblems& problems)
      : stream_(stream), problems_(problems), path_("spec.data.streams[" + stream.name() + "]") {}

  // Names alone.
  void CheckNames() {
    const std::string base = BaseSource(stream_);
    std::vector<std::string> dimensions;
    bool has_base = false;
    for (const config::Source& source : stream_.sources()) {
      if (source.name() == base) {
        has_base = true;
        if (source.has_dimension()) Add(".base", "expected a source that is no dimension");
      } else {
        dimensions.push_back(source.name());
        CheckDimension(source);
      }
    }
    if (!has_base) {
      Add(".base", "expected the name of a source of this stream, got \"" + base + "\"" +
                       config::Hint(base, dimensions));
    }
    for (const config::Join& join : stream_.join()) {
      const bool known =
          std::find(dimensions.begin(), dimensions.end(), join.source()) != dimensions.end();
      if (known) continue;
      Add(".join[" + join.source() + "].source", "expected a dimension of this stream, got " +
                                                     join.source() +
                                                     config::Hint(join.source(), dimensions));
    }
  }

  // Each window must have files of its own, or the same rows would count once a window.
  void CheckWindows(const StreamSources& sources, const Days& days) {
    if (days.size() < 2) return;
    const std::string first = sources.base().Describe(days[0]);
    if (first != sources.base().Describe(days[1])) return;
    Add(".sources[" + BaseSource(stream_) + "]",
        "expected a path with the window's date ({{YYYY}}, {{MM}}, {{DD}}): windows " +
            WindowName(days[0]) + " and " + WindowName(days[1]) + " would both read " + first);
  }

 private:
  void Add(const std::string& below, const std::string& text) {
    problems_.push_back({path_ + below, text});
  }

  void CheckDimension(const config::Source& source) {
    const std::string below = ".sources[" + source.name() + "]";
    if (!source.has_dimension()) {
      Add(below, "expected dimension: {as: Static}, since it is not the base of the stream");
    }
    const bool joined =
        std::any_of(stream_.join().begin(), stream_.join().end(),
                    [&](const config::Join& join) { return join.source() == source.name(); });
    if (!joined) Add(below, "expected a join that uses it");
  }

  const config::Stream& stream_;
  SpecProblems& problems_;
  const std::string path_;
};

void CheckStream(const ChainRequest& request, const Days& days, const DataSlots& slots,
                 const std::string& root, SpecProblems& problems) {
  const std::size_t before = problems.size();
  StreamCheck check(*request.stream, problems);
  check.CheckNames();
  const auto sources = StreamSources::Create(*request.stream, slots, root, problems);
  if (!sources || problems.size() > before) return;
  check.CheckWindows(*sources, days);
  const SourceSchemas schemas = sources->LoadSchemas(days, problems);
  if (problems.size() > before) return;
  PlanChain(request, schemas, slots.operators, problems);
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
    CheckStream(RequestOf(job, stream), *days, slots, root, problems);
  }
  return problems;
}

}  // namespace primus::data
