#include "primus/trainer/core_harness.h"

#include "proto/wire/control.pb.h"

namespace primus::trainer {

wire::Directive RunDirective(uint64_t view, const std::vector<Incarnation>& writers) {
  wire::Directive directive;
  directive.set_incarnation(kSelf);
  directive.set_mode(wire::RUN);
  directive.mutable_stamp()->set_attempt(1);
  directive.mutable_stamp()->set_view(view);
  directive.mutable_flow()->set_attempt(1);
  directive.mutable_flow()->set_view(1);
  const auto add = [&directive](wire::RoleKind kind, Incarnation incarnation) {
    wire::Member* member = directive.add_members();
    member->set_kind(kind);
    member->set_incarnation(incarnation);
    member->mutable_replica()->set_index(static_cast<uint32_t>(incarnation));
  };
  add(wire::TRAINER, kSelf);
  add(wire::PS, 1);
  add(wire::PS, 2);
  for (const Incarnation writer : writers) add(wire::EXECUTOR, writer);
  return directive;
}

wire::Directive WithMode(wire::Directive directive, int mode) {
  directive.set_mode(static_cast<wire::Mode>(mode));
  return directive;
}

wire::Directive AtCut(wire::Directive directive, uint64_t cut, int stage) {
  directive.mutable_stamp()->set_cut(cut);
  directive.set_cut_stage(static_cast<wire::CutStage>(stage));
  return directive;
}

wire::TrainerStatus CoreHarness::Report() {
  wire::TrainerStatus status;
  core.FillStatus(&status);
  return status;
}

std::vector<uint64_t> CoreHarness::TasksOf(const wire::TrainerStatus& status) {
  std::vector<uint64_t> tasks;
  for (const wire::Increment& increment : status.increments()) {
    for (const wire::Spans& spans : increment.spans()) tasks.push_back(spans.task());
  }
  return tasks;
}

}  // namespace primus::trainer
