#include "primus/data/stream_sources.h"

#include <utility>

#include "primus/data/window_calendar.h"

#include "proto/config/job.pb.h"

namespace primus::data {
namespace {

using OptionalDay = std::optional<std::chrono::sys_days>;

}  // namespace

std::optional<StreamSources> StreamSources::Create(const config::Stream& stream,
                                                   const DataSlots& slots, const std::string& root,
                                                   SpecProblems& problems) {
  const std::size_t before = problems.size();
  StreamSources sources;
  sources.path_ = "spec.data.streams[" + stream.name() + "]";
  sources.base_ = stream.base();
  for (const config::Source& source : stream.sources()) {
    const std::string path = sources.path_ + ".sources[" + source.name() + "]";
    const std::string& key = source.store().key();
    const SourceFactory* make = slots.sources.Find(key);
    if (make == nullptr) {
      problems.push_back({path, "there is no kind of source " + key});
      continue;
    }
    auto store = (*make)(source.store().options(), {root, source.ready().marker(), &slots.formats});
    if (store.ok()) {
      sources.stores_[source.name()] = *std::move(store);
    } else {
      problems.push_back({path + "." + key, store.status().message()});
    }
  }
  if (problems.size() == before && !sources.stores_.contains(sources.base_)) {
    problems.push_back({sources.path_ + ".base",
                        "expected the name of a source that is no "
                        "dimension, got \"" +
                            sources.base_ + "\""});
  }
  if (problems.size() > before) return std::nullopt;
  return sources;
}

SourceSchemas StreamSources::LoadSchemas(const std::vector<std::chrono::sys_days>& days,
                                         SpecProblems& problems) const {
  SourceSchemas schemas;
  for (const auto& [source, store] : stores_) {
    std::vector<OptionalDay> where{std::nullopt};
    if (source == base_) where.assign(days.begin(), days.end());
    auto schema = LoadFirst(source, where);
    if (schema.ok()) {
      schemas[source] = *std::move(schema);
    } else {
      problems.push_back({path_ + ".sources[" + source + "]", schema.status().message()});
    }
  }
  return schemas;
}

Result<std::shared_ptr<arrow::Schema>> StreamSources::LoadFirst(
    const std::string& source, const std::vector<OptionalDay>& days) const {
  SourceStore& files = store(source);
  std::string awaits;
  for (const OptionalDay& day : days) {
    PRIMUS_ASSIGN(const FileListing listing, files.List(day));
    if (listing.files.empty()) continue;
    if (!listing.awaits.empty()) {
      if (awaits.empty()) {
        awaits = "; " + files.Describe(day) + " has files, but no marker " + listing.awaits +
                 " (ready.marker)";
      }
      continue;
    }
    PRIMUS_ASSIGN(const OpenedFile opened, files.Open(listing.files.front().path));
    return opened.table->schema();
  }
  std::string where = files.Describe(days.front());
  if (days.size() > 1) where += " to " + files.Describe(days.back());
  return NotFoundError("there is no file with rows to learn columns from: " + where + awaits);
}

}  // namespace primus::data
