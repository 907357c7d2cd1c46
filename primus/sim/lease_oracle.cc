#include "primus/sim/lease_oracle.h"

#include <algorithm>
#include <string>

#include "proto/wire/control.pb.h"

namespace primus::sim {
namespace {

constexpr uint64_t AttemptOf(Generation generation) { return generation >> 32; }

}  // namespace

void LeaseOracle::OnDirective(const wire::Directive& directive) {
  if (directive.mode() != wire::RUN) return;
  const View flow(directive.flow().attempt(), directive.flow().view());
  if (flow < flow_) return;
  if (flow > flow_) {
    leases_.clear();
    departed_.clear();
  }
  flow_ = flow;
  members_.clear();
  trainers_.clear();
  for (const wire::Member& member : directive.members()) {
    members_.insert(member.incarnation());
    if (member.kind() == wire::TRAINER) trainers_.insert(member.incarnation());
  }
  for (const auto& [task, lease] : leases_) {
    if (members_.contains(lease.holder)) continue;
    departed_.try_emplace(lease.holder, directive.stamp().view());
  }
}

void LeaseOracle::OnStatus(const wire::ReplicaStatus& status) {
  if (status.kind() != wire::TRAINER || status.mode() != wire::RUN) return;
  View& settled = settled_[status.incarnation()];
  settled = std::max(settled, View(status.stamp().attempt(), status.trainer().settled_view()));
}

void LeaseOracle::OnAnswer(const wire::LeaseRequest& request, const wire::LeaseResponse& response) {
  for (const wire::LeasedTask& task : response.tasks()) {
    // An older attempt's leases are over, whoever still answers with them.
    if (AttemptOf(task.generation()) != flow_.first) continue;
    const Lease next{task.generation(), request.incarnation()};
    const auto [it, first] = leases_.try_emplace(task.task().id(), next);
    if (first || it->second.generation == next.generation) continue;
    Judge(task.task().id(), it->second, next);
    it->second = next;
  }
}

void LeaseOracle::Judge(TaskId task, const Lease& before, const Lease& next) {
  const std::string name = "task " + std::to_string(task) + " was leased again, ";
  if (next.generation < before.generation) {
    return verdict_.Violated(name + "with an older generation");
  }
  const auto departed = departed_.find(before.holder);
  if (departed == departed_.end()) {
    return verdict_.Violated(name + "while its holder is in the view");
  }
  if (!AllSettled(departed->second)) {
    verdict_.Violated(name + "before every trainer had settled without its holder");
  }
}

bool LeaseOracle::AllSettled(uint64_t view) const {
  return std::all_of(trainers_.begin(), trainers_.end(), [view, this](Incarnation trainer) {
    const auto settled = settled_.find(trainer);
    return settled != settled_.end() && settled->second >= View(flow_.first, view);
  });
}

}  // namespace primus::sim
