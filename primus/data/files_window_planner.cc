#include "primus/data/files_window_planner.h"

#include <utility>

#include "primus/data/window_calendar.h"

#include "proto/config/job.pb.h"

namespace primus::data {

Result<std::unique_ptr<FilesWindowPlanner>> FilesWindowPlanner::Create(const config::Job& job,
                                                                       const DataSlots& slots,
                                                                       const std::string& root) {
  std::unique_ptr<FilesWindowPlanner> planner(new FilesWindowPlanner());
  PRIMUS_ASSIGN(planner->days_, DaysOf(job.spec().data().range()));
  SpecProblems problems;
  for (const config::Stream& stream : job.spec().data().streams()) {
    auto sources = StreamSources::Create(stream, slots, root, problems);
    if (sources) planner->streams_.emplace(stream.name(), *std::move(sources));
  }
  PRIMUS_TRY(ToStatus(problems));
  return planner;
}

std::vector<std::string> FilesWindowPlanner::Windows(const std::string& stream) {
  std::vector<std::string> windows;
  if (!streams_.contains(stream)) return windows;
  for (const std::chrono::sys_days day : days_) windows.push_back(WindowName(day));
  return windows;
}

Result<WindowPlan> FilesWindowPlanner::Plan(const std::string& stream, const std::string& window,
                                            Unready unready) {
  const auto found = streams_.find(stream);
  if (found == streams_.end()) return NotFoundError("there is no stream " + stream);
  SourceStore& store = found->second.base();
  PRIMUS_ASSIGN(const std::chrono::sys_days day, ParseWindowName(window));
  PRIMUS_ASSIGN(const FileListing listing, store.List(day));
  WindowPlan plan;
  if (!listing.awaits.empty()) {
    if (unready == Unready::kWait) return WindowPlan{.awaits = listing.awaits, .splits = {}};
    if (unready == Unready::kFail) {
      return FailedPreconditionError(
          "it is not ready after ready.timeout: its marker " + listing.awaits +
          " is not there; write it and resume the job, or set ready.onTimeout to Skip or "
          "UsePartial");
    }
    if (unready == Unready::kSkip) return plan;
  }
  for (const StoredFile& file : listing.files) {
    PRIMUS_ASSIGN(const OpenedFile opened, store.Open(file.path));
    // The open file's version: it may have been replaced since it was listed.
    const uint64_t rows = opened.table->rows();
    if (rows > 0) plan.splits.push_back({file.path, opened.version, 0, rows});
  }
  return plan;
}

}  // namespace primus::data
