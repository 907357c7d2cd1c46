// Plans windows from the listings of the base sources' stores and the footers of their files.
//
// Owned by one thread at a time; blocks.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "primus/data/data_slots.h"
#include "primus/data/stream_sources.h"
#include "primus/data/window_plan.h"

namespace primus::config {
class Job;
}  // namespace primus::config

namespace primus::data {

class FilesWindowPlanner final : public WindowPlanner {
 public:
  // Relative paths start at `root`. kInvalidArgument names what of the job is wrong.
  static Result<std::unique_ptr<FilesWindowPlanner>> Create(const config::Job& job,
                                                            const DataSlots& slots,
                                                            const std::string& root);

  std::vector<std::string> Windows(const std::string& stream) override;
  Result<WindowPlan> Plan(const std::string& stream, const std::string& window,
                          Unready unready) override;

 private:
  FilesWindowPlanner() = default;

  std::vector<std::chrono::sys_days> days_;
  std::map<std::string, StreamSources> streams_;
};

}  // namespace primus::data
