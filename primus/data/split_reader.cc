#include "primus/data/split_reader.h"

#include <arrow/record_batch.h>

#include <utility>

#include "primus/data/origin_rows.h"

namespace primus::data {
namespace {

constexpr std::string_view kStartAnew =
    " start anew: remove the job's storage, or give another spec.storage.uri";

}  // namespace

Status SplitReader::OpenSplit(const Split& split) {
  PRIMUS_ASSIGN(file_, chain_.base().Open(split.path));
  if (file_.version != split.version) {
    return AbortedError(
        split.path +
        " has changed since it was planned, and rows that were counted may be gone; "
        "put the old file back with its old time of change (cp -p) and resume the "
        "job, or" +
        std::string(kStartAnew));
  }
  PRIMUS_TRY(CheckFileSchema(*file_.table, chain_.base_plan(), split.path));
  ReadScope scope{chain_.base_plan().columns, split.first_row, split.rows, batch_rows_};
  PRIMUS_ASSIGN(reader_, file_.table->Read(scope));
  split_begin_ = next_position_;
  return OkStatus();
}

Result<bool> SplitReader::ReadInto(const PhaseScope& scope, RowBlock& block) {
  Result<bool> more = ReadNext(scope, block);
  const StatusCode code = more.ok() ? StatusCode::kOk : more.status().code();
  if (code != StatusCode::kInvalidArgument && code != StatusCode::kDataLoss) return more;
  // A file that is mended is not the one that was planned.
  return Status(code, more.status().message() + "; once that is mended," + std::string(kStartAnew));
}

Result<bool> SplitReader::ReadNext(const PhaseScope& scope, RowBlock& block) {
  while (true) {
    if (reader_ == nullptr) {
      if (next_split_ == task_.splits.size()) return false;
      const Split& split = task_.splits[next_split_++];
      if (skip_.Missing(next_position_, next_position_ + split.rows).empty()) {
        next_position_ += split.rows;
        continue;
      }
      PRIMUS_TRY(OpenSplit(split));
    }
    PRIMUS_ASSIGN(const std::shared_ptr<arrow::RecordBatch> batch, reader_->Next());
    if (batch == nullptr) {
      reader_.reset();
      file_ = {};
      continue;
    }
    const Split& split = task_.splits[next_split_ - 1];
    const uint64_t in_split = next_position_ - split_begin_;
    const TaskBatch piece{batch.get(), next_position_,
                          RowOrigin(split.path, split.first_row + in_split)};
    next_position_ += static_cast<uint64_t>(batch->num_rows());
    PRIMUS_TRY(block.Append(piece, scope, skip_));
    return true;
  }
}

}  // namespace primus::data
