// The opened stores of a stream's sources, and what their files look like.
//
// Blocks; one thread at a time.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "primus/data/chain_plan.h"
#include "primus/data/data_slots.h"
#include "primus/data/source_store.h"
#include "primus/data/spec_problem.h"

namespace primus::config {
class Stream;
}  // namespace primus::config

namespace primus::data {

class StreamSources {
 public:
  // Nothing if any problem was added. `root` is where relative paths start.
  static std::optional<StreamSources> Create(const config::Stream& stream, const DataSlots& slots,
                                             const std::string& root, SpecProblems& problems);

  SourceStore& base() const { return *stores_.find(base_)->second; }
  // `source` is one of the stream's.
  SourceStore& store(const std::string& source) const { return *stores_.find(source)->second; }

  // The schema of the first file of each source, the base's in the order of the days. A source
  // without any file or with an unreadable one becomes a problem.
  SourceSchemas LoadSchemas(const std::vector<std::chrono::sys_days>& days,
                            SpecProblems& problems) const;

 private:
  StreamSources() = default;
  Result<std::shared_ptr<arrow::Schema>> LoadFirst(
      const std::string& source,
      const std::vector<std::optional<std::chrono::sys_days>>& days) const;

  std::string path_;  // in the job file
  std::string base_;
  std::map<std::string, std::unique_ptr<SourceStore>> stores_;
};

}  // namespace primus::data
