#include "primus/master/window_reader.h"

#include "primus/data/task_packing.h"
#include "primus/savepoint/sealed.h"

#include "proto/wire/task.pb.h"

namespace primus::master {
namespace {

constexpr std::string_view kMagic = "PRIMPLN2";
// Files that are the same give the same plan.
constexpr std::string_view kCure =
    "; if the files of that window are as they were when it was planned, remove this file from the "
    "storage and resume the job: it is planned anew. Otherwise start anew with another "
    "spec.storage.uri";

std::string BlobName(const std::string& stream, const std::string& window) {
  return "plan/" + stream + "/" + window;
}

Result<std::vector<data::Split>> Decode(const std::string& stream, const std::string& window,
                                        std::string_view bytes) {
  PRIMUS_ASSIGN(const std::string_view message, savepoint::Unseal(kMagic, bytes));
  wire::PlannedWindow planned;
  if (!planned.ParseFromArray(message.data(), static_cast<int>(message.size()))) {
    return DataLossError("it cannot be parsed");
  }
  if (planned.stream() != stream || planned.window() != window) {
    return DataLossError("it is the plan of " + BlobName(planned.stream(), planned.window()));
  }
  std::vector<data::Split> splits;
  for (const wire::Split& split : planned.splits()) {
    splits.push_back({split.path(), split.version(), split.first_row(), split.rows()});
  }
  return splits;
}

std::string Encode(const std::string& stream, const std::string& window,
                   const std::vector<data::Split>& splits) {
  wire::PlannedWindow planned;
  planned.set_stream(stream);
  planned.set_window(window);
  for (const data::Split& split : splits) {
    wire::Split* out = planned.add_splits();
    out->set_path(split.path);
    out->set_version(split.version);
    out->set_first_row(split.first_row);
    out->set_rows(split.rows);
  }
  return savepoint::Seal(kMagic, planned.SerializeAsString());
}

}  // namespace

Result<WindowTasks> WindowReader::Read(const std::string& stream, const std::string& window,
                                       data::Unready unready) {
  const std::string name = BlobName(stream, window);
  Result<std::string> kept = blobs_.Get(name);
  if (!kept.ok() && kept.status().code() != StatusCode::kNotFound) return kept.status();
  if (!kept.ok()) {
    PRIMUS_ASSIGN(const data::WindowPlan plan, planner_.Plan(stream, window, unready));
    if (!plan.awaits.empty()) return WindowTasks{plan.awaits, {}};
    const std::string bytes = Encode(stream, window, plan.splits);
    const Status put = blobs_.PutIfAbsent(name, bytes);
    if (!put.ok() && put.code() != StatusCode::kAlreadyExists) {
      return put.WithContext("keeping the plan of window", window);
    }
    // Another life may have been faster; what stands there counts.
    kept = blobs_.Get(name);
    if (!kept.ok()) return kept.status();
  }
  Result<std::vector<data::Split>> splits = Decode(stream, window, *kept);
  if (!splits.ok()) {
    return DataLossError("planned window " + name + ": " + splits.status().message() +
                         std::string(kCure));
  }
  return WindowTasks{"", data::PackTasks(stream, window, *splits, task_rows_max_)};
}

}  // namespace primus::master
