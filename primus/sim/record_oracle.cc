#include "primus/sim/record_oracle.h"

#include <algorithm>
#include <optional>

#include "primus/base/crc32c.h"
#include "primus/savepoint/record.h"

#include "proto/wire/record.pb.h"

namespace primus::sim {

RecordOracle::RecordOracle(const Blobs& blobs, const ExpectedModel& expected, Verdict& verdict)
    : blobs_(blobs), expected_(expected), verdict_(verdict) {}

RecordOracle::~RecordOracle() = default;

void RecordOracle::OnChange(const std::string& name, const std::string* bytes) {
  if (bytes == nullptr) return OnDeletion(name);
  if (name.starts_with("parts/")) OnPart(name);
  if (name.starts_with("records/")) OnRecord(name, *bytes);
}

void RecordOracle::OnAttemptGoesOn(uint64_t attempt) { went_on_ = std::max(went_on_, attempt); }

void RecordOracle::OnPart(const std::string& name) {
  if (!parts_.insert(name).second) verdict_.Violated("a part was written twice: " + name);
}

void RecordOracle::OnRecord(const std::string& name, const std::string& bytes) {
  wire::Record record;
  const Status decoded = savepoint::DecodeRecord(bytes, &record);
  if (!decoded.ok()) return verdict_.Violated(name + ": " + decoded.ToString());
  const uint64_t attempt =
      record.has_begin() ? record.begin().attempt() : record.manifest().attempt();
  if (record.number() != newest_ + 1 || savepoint::RecordName(record.number()) != name) {
    return verdict_.Violated(name + " was written after record " + std::to_string(newest_));
  }
  if (attempt < attempt_ || attempt < went_on_) {
    return verdict_.Violated(name + " is of attempt " + std::to_string(attempt) +
                             ", after attempt " + std::to_string(std::max(attempt_, went_on_)) +
                             " went on");
  }
  const Status judged =
      record.has_begin() ? JudgeBegin(record.begin()) : JudgeManifest(record.manifest());
  if (!judged.ok()) return verdict_.Violated(name + ": " + judged.message());
  newest_ = record.number();
  attempt_ = attempt;
  if (record.has_begin()) return;
  save_point_ = newest_;
  saved_cuts_.insert(record.manifest().cut());
  manifest_ = std::make_unique<wire::Manifest>(record.manifest());
}

Status RecordOracle::JudgeBegin(const wire::Begin& begin) const {
  if (begin.from_record() == save_point_) return OkStatus();
  return InternalError("it returns to record " + std::to_string(begin.from_record()) +
                       ", the newest save point is " + std::to_string(save_point_));
}

Status RecordOracle::JudgeManifest(const wire::Manifest& manifest) const {
  if (!saved_cuts_.empty() && manifest.cut() <= *saved_cuts_.rbegin()) {
    return InternalError("cut " + std::to_string(manifest.cut()) + " after cut " +
                         std::to_string(*saved_cuts_.rbegin()));
  }
  if (manifest_ != nullptr && manifest.position().phase() < manifest_->position().phase()) {
    return InternalError("the data position went back");
  }
  PRIMUS_ASSIGN(const KeyCounts model, ReadModel(manifest));
  return expected_.Check(savepoint::FromWire(manifest.position()), model);
}

Result<KeyCounts> RecordOracle::ReadModel(const wire::Manifest& manifest) const {
  KeyCounts model;
  uint32_t shards = 0;
  for (const wire::Part& part : manifest.parts()) {
    const std::string* bytes = blobs_.Find(part.name());
    if (bytes == nullptr) return InternalError("a part is not there: " + part.name());
    if (bytes->size() != part.size() || Crc32c(*bytes) != part.crc32c()) {
      return InternalError("a part is another than the manifest says: " + part.name());
    }
    shards += part.last_shard() - part.first_shard() + 1;
    PRIMUS_TRY(CountingStore::ReadPart(*bytes, &model));
  }
  if (shards != jobspec::kShards) {
    return InternalError("the parts hold " + std::to_string(shards) + " shards");
  }
  return model;
}

void RecordOracle::OnDeletion(const std::string& name) {
  const std::optional<uint64_t> record = savepoint::RecordNumber(name);
  bool needed = record && (*record == newest_ || *record == save_point_);
  if (manifest_ != nullptr) {
    needed = needed || std::any_of(manifest_->parts().begin(), manifest_->parts().end(),
                                   [&name](const wire::Part& part) { return part.name() == name; });
  }
  if (needed) verdict_.Violated("what the newest save point needs was deleted: " + name);
}

Status RecordOracle::CheckComplete(uint32_t phases) const {
  if (manifest_ == nullptr) return InternalError("the job ended without a save point");
  if (manifest_->position().phase() == phases) return OkStatus();
  return InternalError("the last save point is of phase " +
                       std::to_string(manifest_->position().phase()));
}

}  // namespace primus::sim
