// What each member is told, as a function of the core's state.
#include "primus/master/core.h"

#include "proto/wire/control.pb.h"
#include "proto/wire/record.pb.h"

namespace primus::master {
namespace {

using member::RoleKind;

wire::CutStage StageOnTheWire(savepoint::CutStage stage) {
  if (stage == savepoint::CutStage::kHold) return wire::HOLD;
  return stage == savepoint::CutStage::kFreeze ? wire::FREEZE : wire::NO_CUT;
}

}  // namespace

void Core::InstructAll() {
  // Until the outcome is written nobody is told anything new; who comes only now is fenced.
  const bool hold_still = mode_ == Mode::kEnding && !leaving_;
  for (const Member& m : rollcall_.Members()) {
    if (hold_still && m.directive != nullptr) continue;
    rollcall_.Instruct(m.seat.incarnation, DirectiveFor(m));
  }
}

wire::Directive Core::DirectiveFor(const Member& member) const {
  wire::Directive directive;
  directive.mutable_stamp()->set_attempt(options_.attempt);
  directive.mutable_stamp()->set_view(view_);
  directive.mutable_stamp()->set_cut(cut_.number());
  directive.set_lease_seconds(static_cast<uint32_t>(ToMilliseconds(options_.silence_max) / 1000));
  directive.set_heartbeat_milliseconds(static_cast<uint32_t>(ToMilliseconds(options_.heartbeat)));
  const bool asking = mode_ == Mode::kAsking || mode_ == Mode::kReading ||
                      (mode_ == Mode::kBeginning && attaching_);
  if (asking) {
    directive.mutable_stamp()->set_view(0);
    directive.mutable_stamp()->set_cut(0);
    directive.set_mode(wire::ATTACH);
    return directive;
  }
  if (mode_ == Mode::kEnding) {
    directive.set_mode(leaving_ ? wire::LEAVE : wire::FENCED);
    return directive;
  }
  const wire::Manifest* manifest = history_.manifest();
  directive.set_saved_cut(manifest == nullptr ? 0 : manifest->cut());
  for (const auto& [replica, seat] : rollcall_.roster().seats()) {
    wire::Member* listed = directive.add_members();
    listed->mutable_replica()->set_role(replica.role);
    listed->mutable_replica()->set_index(replica.index);
    listed->set_kind(static_cast<wire::RoleKind>(seat.kind));
    listed->set_incarnation(seat.incarnation);
    listed->set_rpc_address(seat.rpc_address);
    listed->set_handover_address(seat.handover_address);
  }
  if (mode_ == Mode::kBeginning || mode_ == Mode::kGathering) {
    directive.set_mode(wire::FENCED);
    return directive;
  }
  if (mode_ == Mode::kRestoring) {
    const bool restores = member.seat.kind == RoleKind::kPs;
    directive.set_mode(restores ? wire::RESTORE : wire::FENCED);
    if (restores && manifest != nullptr) *directive.mutable_restore() = manifest->parts();
    return directive;
  }
  directive.set_mode(wire::RUN);
  directive.set_cut_stage(StageOnTheWire(cut_.stage()));
  directive.mutable_flow()->set_attempt(options_.attempt);
  directive.mutable_flow()->set_view(flow_view_);
  const auto increment = increments_.find(member.seat.incarnation);
  if (increment != increments_.end()) directive.set_acked_increment(increment->second);
  return directive;
}

}  // namespace primus::master
