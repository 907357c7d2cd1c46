#include "primus/savepoint/cut.h"

#include <algorithm>
#include <utility>

#include "primus/savepoint/record.h"

#include "proto/wire/control.pb.h"
#include "proto/wire/record.pb.h"

namespace primus::savepoint {

std::string_view CutReasonName(CutReason reason) {
  switch (reason) {
    case CutReason::kInterval:
      return "Interval";
    case CutReason::kPhase:
      return "Phase";
    case CutReason::kStop:
      return "Stop";
  }
  return "";
}

void Cut::Skip(uint64_t number) { number_ = std::max(number_, number); }

void Cut::Begin(CutReason reason, std::set<Incarnation> trainers, std::set<Incarnation> ps) {
  PRIMUS_CHECK(stage_ == CutStage::kNone, "one cut at a time");
  ++number_;
  reason_ = reason;
  stage_ = CutStage::kHold;
  held_.clear();
  ps_.clear();
  trainers_ = std::move(trainers);
  for (const Incarnation incarnation : ps) ps_[incarnation] = {};
}

void Cut::Hear(Incarnation incarnation, const wire::ReplicaStatus& status) {
  if (stage_ == CutStage::kNone || stage_ == CutStage::kCommit) return;
  if (stage_ == CutStage::kHold && trainers_.contains(incarnation) &&
      status.trainer().held_cut() == number_) {
    held_[incarnation] = status.trainer().metrics();
  }
  const auto it = ps_.find(incarnation);
  if (it == ps_.end() || status.ps().frozen_cut() != number_) return;
  PsPart& part = it->second;
  part.frozen = true;
  part.written = status.ps().parts_size() > 0;
  part.error =
      Status(static_cast<StatusCode>(status.ps().write_error_code()), status.ps().write_error());
  part.parts.clear();
  for (const wire::Part& p : status.ps().parts()) part.parts.push_back(p.SerializeAsString());
}

bool Cut::AllHold() const { return stage_ == CutStage::kHold && held_.size() == trainers_.size(); }

void Cut::Freeze(data::Position position, data::RowCounts counts) {
  PRIMUS_CHECK(AllHold(), "freeze only when all hold");
  position_ = std::move(position);
  counts_ = counts;
  stage_ = CutStage::kFreeze;
}

bool Cut::AllFrozen() const {
  return stage_ == CutStage::kFreeze &&
         std::all_of(ps_.begin(), ps_.end(), [](const auto& ps) { return ps.second.frozen; });
}

void Cut::Release() {
  PRIMUS_CHECK(AllFrozen(), "release only when all are frozen");
  stage_ = CutStage::kWrite;
}

bool Cut::AllWritten() const {
  return stage_ == CutStage::kWrite &&
         std::all_of(ps_.begin(), ps_.end(), [](const auto& ps) { return ps.second.written; });
}

Status Cut::WriteError() const {
  if (stage_ == CutStage::kNone) return OkStatus();
  for (const auto& [incarnation, part] : ps_) {
    if (!part.error.ok()) return part.error;
  }
  return OkStatus();
}

void Cut::Commit(wire::Manifest* manifest) {
  PRIMUS_CHECK(AllWritten(), "the manifest is last");
  stage_ = CutStage::kCommit;
  manifest->set_cut(number_);
  manifest->set_reason(std::string(CutReasonName(reason_)));
  for (const auto& [incarnation, ps] : ps_) {
    for (const std::string& part : ps.parts) manifest->add_parts()->ParseFromString(part);
  }
  ToWire(position_, manifest->mutable_position());
}

void Cut::End() { stage_ = CutStage::kNone; }

std::vector<std::string> Cut::metrics() const {
  std::vector<std::string> all;
  for (const auto& [incarnation, state] : held_) all.push_back(state);
  return all;
}

}  // namespace primus::savepoint
