#include "primus/master/test_replica.h"

#include <string>
#include <utility>

#include "primus/member/wire_stamp.h"

#include "proto/wire/control.pb.h"

namespace primus::master {
namespace {

using member::RoleKind;

using member::ToStamp;

// Of the parts to restore, by their names; 0 for a fresh model.
uint64_t RestoredCut(const wire::Directive& directive) {
  if (directive.restore().empty()) return 0;
  const std::string& name = directive.restore(0).name();
  return std::stoull(name.substr(name.find(".c") + 2));
}

bool IsNewer(const wire::Directive& a, const wire::Directive& b) {
  return std::pair(a.stamp().attempt(), a.sequence()) >
         std::pair(b.stamp().attempt(), b.sequence());
}

}  // namespace

struct TestReplica::Increment {
  uint64_t number = 0;
  uint64_t cut = 0;  // the one that covers it
  TaskId task = 0;
  uint64_t begin = 0;
  uint64_t end = 0;
};

TestReplica::TestReplica(ReplicaId replica, std::string container)
    : replica_(std::move(replica)),
      container_(std::move(container)),
      directive_(std::make_unique<wire::Directive>()),
      held_(std::make_unique<wire::Directive>()) {}

TestReplica::~TestReplica() = default;

const wire::Directive& TestReplica::directive() const { return *directive_; }
int TestReplica::mode() const { return directive_->mode(); }
int TestReplica::cut_stage() const { return directive_->cut_stage(); }
Stamp TestReplica::stamp() const { return ToStamp(directive_->stamp()); }
Incarnation TestReplica::incarnation() const { return directive_->incarnation(); }

RoleKind TestReplica::kind() const {
  if (replica_.role == "ps") return RoleKind::kPs;
  return replica_.role == "trainer" ? RoleKind::kTrainer : RoleKind::kExecutor;
}

void TestReplica::Adopt(const wire::Directive& directive) {
  if (!IsNewer(directive, *directive_)) return;
  *directive_ = directive;
  if (directive.mode() != wire::ATTACH) *held_ = directive;
  Act();
}

void TestReplica::Act() {
  if (mode() == wire::FENCED || mode() == wire::RESTORE) Fence();
  if (mode() == wire::RESTORE && will.restore) {
    restored_view_ = stamp().view;
    restored_cut_ = RestoredCut(*directive_);
  }
  if (mode() != wire::RUN) return;
  if (kind() == RoleKind::kPs) ActAsPs();
  if (kind() == RoleKind::kTrainer) ActAsTrainer();
}

void TestReplica::Fence() {
  increments_.clear();
  held_cut_ = 0;
  frozen_ = {};
}

void TestReplica::ActAsPs() {
  const bool over = directive_->saved_cut() >= frozen_.cut || stamp().cut > frozen_.cut ||
                    stamp().attempt > frozen_.attempt;
  if (over) frozen_ = {};
  if (cut_stage() == wire::FREEZE && will.freeze && directive_->saved_cut() < stamp().cut) {
    frozen_ = stamp();
  }
}

void TestReplica::ActAsTrainer() {
  std::erase_if(increments_, [this](const Increment& increment) {
    return increment.cut != 0 && increment.cut <= directive_->saved_cut();
  });
  if (will.settle) settled_view_ = stamp().view;
  if (cut_stage() == wire::NO_CUT) held_cut_ = 0;
  if (cut_stage() != wire::HOLD || !will.hold) return;
  held_cut_ = stamp().cut;
  for (Increment& increment : increments_) {
    if (increment.cut == 0) increment.cut = held_cut_;
  }
}

void TestReplica::Train(TaskId task, uint64_t begin, uint64_t end) {
  increments_.push_back(
      {.number = next_increment_++, .cut = 0, .task = task, .begin = begin, .end = end});
}

wire::ReplicaStatus TestReplica::StatusNow() const {
  wire::ReplicaStatus status;
  status.mutable_replica()->set_role(replica_.role);
  status.mutable_replica()->set_index(replica_.index);
  status.set_kind(static_cast<wire::RoleKind>(kind()));
  status.set_incarnation(incarnation());
  status.set_container(container_);
  *status.mutable_stamp() = directive_->stamp();
  status.set_sequence(directive_->sequence());
  status.set_mode(directive_->mode());
  *status.mutable_members() = held_->members();
  status.set_saved_cut(held_->saved_cut());
  status.set_rpc_address("test:" + container_);
  status.set_error_code(static_cast<uint32_t>(failure.code()));
  status.set_error(failure.message());
  *status.mutable_held_stamp() = held_->stamp();
  status.set_held_mode(held_->mode());
  wire::TrainerStatus& trainer = *status.mutable_trainer();
  trainer.set_settled_view(settled_view_);
  trainer.set_held_cut(held_cut_);
  uint64_t rows = 0;
  for (const Increment& increment : increments_) {
    rows += increment.end - increment.begin;
    if (increment.number <= directive_->acked_increment()) continue;
    wire::Increment* out = trainer.add_increments();
    out->set_number(increment.number);
    wire::Spans* spans = out->add_spans();
    spans->set_task(increment.task);
    spans->add_bounds(increment.begin);
    spans->add_bounds(increment.end);
  }
  if (held_cut_ != 0) trainer.set_metrics(std::to_string(rows));
  wire::PsStatus& ps = *status.mutable_ps();
  ps.set_restored_view(restored_view_);
  ps.set_frozen_cut(frozen_.cut);
  ps.set_write_error_code(frozen_.cut == 0 ? 0 : static_cast<uint32_t>(will.write_error.code()));
  ps.set_write_error(will.write_error.message());
  if (frozen_.cut != 0 && will.write && will.write_error.ok()) {
    ps.add_parts()->set_name("parts/" + ToString(frozen_) + "/" + ToString(replica_));
  }
  return status;
}

}  // namespace primus::master
