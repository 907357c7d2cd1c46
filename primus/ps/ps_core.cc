#include "primus/ps/ps_core.h"

#include <set>
#include <utility>

#include "primus/member/wire_stamp.h"

#include "proto/wire/control.pb.h"

namespace primus::ps {
namespace {

using member::ToStamp;

// A cut is numbered within its attempt; the view may change while it is taken.
std::pair<uint64_t, uint64_t> Number(const Stamp& stamp) { return {stamp.attempt, stamp.cut}; }

std::pair<uint64_t, uint64_t> View(const Stamp& stamp) { return {stamp.attempt, stamp.view}; }

std::string PartName(const Stamp& stamp, const jobspec::ShardRange& shards,
                     Incarnation incarnation) {
  return "parts/" + ToString(stamp) + "/s" + std::to_string(shards.first) + "-" +
         std::to_string(shards.last) + ".i" + std::to_string(incarnation);
}

}  // namespace

std::vector<Effect> PsCore::OnDirective(const wire::Directive& directive) {
  std::vector<Effect> effects;
  switch (directive.mode()) {
    case wire::FENCED:
      // What was being committed can no longer be.
      Drop(&effects);
      return effects;
    case wire::RESTORE:
      return OnRestore(directive);
    case wire::RUN:
      return OnRun(directive);
    default:
      return effects;
  }
}

std::vector<Effect> PsCore::OnRestore(const wire::Directive& directive) {
  std::vector<Effect> effects;
  const Stamp stamp = ToStamp(directive.stamp());
  if (restored_ == View(stamp) || loading_ == View(stamp)) return effects;
  Drop(&effects);
  applied_.Clear();
  restored_ = {};
  loading_ = View(stamp);
  effects.emplace_back(LoadModel{stamp});
  return effects;
}

std::vector<Effect> PsCore::OnRun(const wire::Directive& directive) {
  std::vector<Effect> effects;
  std::set<Incarnation> members;
  for (const wire::Member& member : directive.members()) members.insert(member.incarnation());
  applied_.Keep(members);
  DropIfOver(directive, &effects);

  const Stamp stamp = ToStamp(directive.stamp());
  const bool is_new = Number(stamp) > Number(last_frozen_);
  if (directive.cut_stage() != wire::FREEZE || !is_new || !CheckServing().ok()) return effects;
  last_frozen_ = stamp;
  cut_ = Cut{.stamp = stamp, .part = std::nullopt, .error = OkStatus()};
  effects.emplace_back(
      FreezeCut{.stamp = stamp, .part = PartName(stamp, shards_, directive.incarnation())});
  return effects;
}

void PsCore::DropIfOver(const wire::Directive& directive, std::vector<Effect>* effects) {
  if (!cut_) return;
  const bool saved = directive.saved_cut() >= cut_->stamp.cut;
  const bool discarded = Number(ToStamp(directive.stamp())) > Number(cut_->stamp);
  if (saved || discarded) Drop(effects);
}

void PsCore::Drop(std::vector<Effect>* effects) {
  if (!cut_) return;
  cut_.reset();
  effects->emplace_back(DropCut{});
}

void PsCore::OnPart(const Stamp& stamp, const Result<WrittenPart>& part) {
  if (!cut_ || cut_->stamp != stamp) return;
  if (part.ok()) {
    cut_->part = *part;
  } else {
    cut_->error = part.status();
  }
}

bool PsCore::OnLoaded(const Stamp& stamp) {
  if (loading_ != View(stamp)) return false;
  restored_ = loading_;
  loading_ = {};
  return true;
}

Status PsCore::CheckServing() const {
  if (loading_ != View({})) {
    return UnavailableError("restoring for view " + std::to_string(loading_.second));
  }
  if (restored_ == View({})) return UnavailableError("no model has been loaded yet");
  return OkStatus();
}

bool PsCore::WasApplied(Incarnation trainer, uint64_t step, uint64_t lowest_unacknowledged) {
  // The floor of this very message says nothing about a step below it that never came here, so the
  // step is looked up first.
  const bool applied = applied_.Contains(trainer, step);
  applied_.RaiseFloor(trainer, lowest_unacknowledged);
  return applied;
}

void PsCore::FillStatus(wire::PsStatus* status) const {
  status->set_restored_view(restored_.second);
  if (!cut_) return;
  status->set_frozen_cut(cut_->stamp.cut);
  if (!cut_->error.ok()) {
    status->set_write_error_code(static_cast<uint32_t>(cut_->error.code()));
    status->set_write_error(cut_->error.message());
  }
  if (!cut_->part) return;
  wire::Part* part = status->add_parts();
  part->set_name(cut_->part->name);
  part->set_size(cut_->part->size);
  part->set_crc32c(cut_->part->crc32c);
  part->set_first_shard(shards_.first);
  part->set_last_shard(shards_.last);
}

}  // namespace primus::ps
