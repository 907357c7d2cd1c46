#include <algorithm>
#include <string>
#include <vector>

#include "primus/config/nearest_name.h"
#include "primus/config/node.h"
#include "primus/config/timestamp.h"
#include "primus/jobspec/job_check.h"
#include "primus/jobspec/sources.h"

#include "proto/config/job.pb.h"

namespace primus::jobspec {
namespace {

using config::Hint;
using config::Shown;

class StreamCheck {
 public:
  StreamCheck(const config::Stream& stream, JobRules* rules)
      : stream_(stream), rules_(*rules), path_("spec.data.streams[" + stream.name() + "]") {}

  void Check() {
    // Wrong names make everything else about them noise.
    if (!HasAllNames()) return;
    for (const config::Source& source : stream_.sources()) {
      if (source.name() != stream_.base()) dimensions_.push_back(source.name());
    }
    CheckBase();
    if (BaseOf(stream_) == nullptr) return;
    for (const config::Source& source : stream_.sources()) {
      if (source.name() != stream_.base()) CheckDimension(source);
    }
    for (const config::Join& join : stream_.join()) CheckJoin(join);
  }

 private:
  bool HasAllNames() const {
    const auto unnamed_source = [](const config::Source& source) { return source.name().empty(); };
    const auto unnamed_join = [](const config::Join& join) { return join.source().empty(); };
    return !stream_.name().empty() && stream_.sources_size() > 0 &&
           std::none_of(stream_.sources().begin(), stream_.sources().end(), unnamed_source) &&
           std::none_of(stream_.join().begin(), stream_.join().end(), unnamed_join);
  }

  std::string SourcePath(const std::string& name) const { return path_ + ".sources[" + name + "]"; }

  void CheckBase() {
    std::vector<std::string> names;
    for (const config::Source& source : stream_.sources()) names.push_back(source.name());
    const config::Source* base = BaseOf(stream_);
    if (stream_.base().empty()) {
      rules_.Refuse(path_ + ".base", "expected the source whose rows are counted, one of " +
                                         config::OneOf(names) + ", got nothing");
    } else if (base == nullptr) {
      rules_.Refuse(path_ + ".base", "expected " + config::OneOf(names) + ", got " +
                                         Shown(stream_.base()) + Hint(stream_.base(), names));
    } else if (base->has_dimension()) {
      rules_.Refuse(SourcePath(base->name()) + ".dimension",
                    "expected none for the base of the stream, got one");
    } else if (rules_.job().spec().has_evaluate() && !base->has_event_time()) {
      rules_.Refuse(SourcePath(base->name()) + ".eventTime",
                    "expected the column that spec.evaluate.from is about, got nothing");
    }
  }

  void CheckDimension(const config::Source& source) {
    if (!source.has_dimension()) {
      rules_.Refuse(SourcePath(source.name()) + ".dimension",
                    "expected {as: Static}, as the source is not the base, got nothing");
    }
    CheckTimes(source);
    for (const config::Join& join : stream_.join()) {
      if (join.source() == source.name()) return;
    }
    rules_.Refuse(SourcePath(source.name()), "expected a join that uses it, got none");
  }

  // A dimension is no feed: it has no event time, and its marker is not waited for.
  void CheckTimes(const config::Source& dimension) {
    const std::string path = SourcePath(dimension.name());
    if (dimension.has_event_time()) {
      rules_.Refuse(path + ".eventTime", "expected none for a dimension, got one");
    }
    const config::Ready& ready = dimension.ready();
    if (!ready.timeout().empty()) {
      rules_.Refuse(path + ".ready.timeout",
                    "expected none for a dimension, got " + ready.timeout());
    }
    if (ready.on_timeout() != config::ON_TIMEOUT_UNSPECIFIED) {
      rules_.Refuse(path + ".ready.onTimeout", "expected none for a dimension, got " +
                                                   config::OnTimeout_Name(ready.on_timeout()));
    }
  }

  void CheckJoin(const config::Join& join) {
    const std::string path = path_ + ".join[" + join.source() + "].source";
    if (join.source() == stream_.base() && BaseOf(stream_) != nullptr) {
      rules_.Refuse(path, "expected a dimension, got the base of the stream");
    } else if (FindSource(stream_, join.source()) == nullptr) {
      const std::string expected =
          dimensions_.empty() ? "a dimension of this stream" : config::OneOf(dimensions_);
      rules_.Refuse(path, "expected " + expected + ", got " + Shown(join.source()) +
                              Hint(join.source(), dimensions_));
    }
  }

  const config::Stream& stream_;
  JobRules& rules_;
  const std::string path_;
  std::vector<std::string> dimensions_;
};

void CheckRange(const config::Range& range, JobRules* rules) {
  const auto from = config::ParseDate(range.from());
  const auto to = config::ParseDate(range.to());
  if (from.ok() && to.ok() && *to < *from) {
    rules->Refuse("spec.data.range.to",
                  "expected " + range.from() + " or a later day, got " + range.to());
  }
}

}  // namespace

void CheckStreams(JobRules* rules) {
  const config::JobSpec& spec = rules->job().spec();
  if (!spec.has_data()) return;
  CheckRange(spec.data().range(), rules);
  for (const config::Stream& stream : spec.data().streams()) StreamCheck(stream, rules).Check();
  if (spec.data().streams_size() > 1) {
    rules->Refuse("spec.data.streams",
                  "expected one stream, got " + std::to_string(spec.data().streams_size()));
  }
}

}  // namespace primus::jobspec
