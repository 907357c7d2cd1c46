#include "primus/ps/applied_steps.h"

#include <algorithm>

namespace primus::ps {

bool AppliedSteps::Contains(Incarnation trainer, uint64_t step) const {
  const auto it = trainers_.find(trainer);
  if (it == trainers_.end()) return false;
  return step < it->second.floor || it->second.applied.contains(step);
}

void AppliedSteps::Add(Incarnation trainer, uint64_t step) {
  Steps& steps = trainers_[trainer];
  if (step >= steps.floor) steps.applied.insert(step);
}

void AppliedSteps::RaiseFloor(Incarnation trainer, uint64_t lowest_unacknowledged) {
  Steps& steps = trainers_[trainer];
  steps.floor = std::max(steps.floor, lowest_unacknowledged);
  steps.applied.erase(steps.applied.begin(), steps.applied.lower_bound(steps.floor));
}

void AppliedSteps::Keep(const std::set<Incarnation>& members) {
  std::erase_if(trainers_, [&](const auto& entry) { return !members.contains(entry.first); });
}

}  // namespace primus::ps
