#include "primus/savepoint/record_log.h"

#include "primus/savepoint/record.h"

#include "proto/wire/record.pb.h"

namespace primus::savepoint {
namespace {

// The record of a blob: whole, and of the number that its name says.
Status Decode(const std::string& name, std::string_view bytes, wire::Record* record) {
  Status decoded = DecodeRecord(bytes, record);
  if (decoded.ok() && RecordNumber(name) != record->number()) {
    decoded =
        DataLossError("it is record " + std::to_string(record->number()) + " under another name");
  }
  return decoded.WithContext("save-point record " + name +
                             " is damaged (restore it from a copy of the job's storage, or start "
                             "the job under another name)");
}

}  // namespace

Result<std::vector<wire::Record>> RecordLog::Load() {
  PRIMUS_ASSIGN(const std::vector<store::BlobInfo> blobs, blobs_.List("records/"));
  std::vector<wire::Record> records;
  for (const store::BlobInfo& blob : blobs) {
    if (!RecordNumber(blob.name)) continue;
    PRIMUS_ASSIGN(const std::string bytes, blobs_.Get(blob.name));
    PRIMUS_TRY(Decode(blob.name, bytes, &records.emplace_back()));
  }
  return records;
}

Result<RecordLog::Outcome> RecordLog::Put(uint64_t number, std::string_view bytes,
                                          wire::Record* taken) {
  const std::string name = RecordName(number);
  const Status put = blobs_.PutIfAbsent(name, bytes);
  if (put.ok()) return Outcome::kPut;
  const Result<std::string> there = blobs_.Get(name);
  if (!there.ok()) return put.WithContext("writing " + name);
  if (*there == bytes) return Outcome::kPut;
  PRIMUS_TRY(Decode(name, *there, taken));
  return Outcome::kTaken;
}

Status RecordLog::Clean(const std::vector<uint64_t>& numbers,
                        const std::function<bool(std::string_view)>& is_garbage) {
  for (const uint64_t number : numbers) PRIMUS_TRY(blobs_.Delete(RecordName(number)));
  PRIMUS_ASSIGN(const std::vector<store::BlobInfo> parts, blobs_.List("parts/"));
  for (const store::BlobInfo& part : parts) {
    if (is_garbage(part.name)) PRIMUS_TRY(blobs_.Delete(part.name));
  }
  return OkStatus();
}

}  // namespace primus::savepoint
