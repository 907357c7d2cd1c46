// Which steps of which trainers have been applied: what makes a push count once, however often it
// arrives. A set above the lowest unacknowledged step of each trainer, never a maximum: steps
// arrive in any order. Pure; owned by PsCore.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>

#include "primus/base/ids.h"

namespace primus::ps {

class AppliedSteps {
 public:
  // Whether `step` was applied. Steps below the trainer's lowest unacknowledged one are known to
  // be, since every ps had acknowledged them.
  bool Contains(Incarnation trainer, uint64_t step) const;
  void Add(Incarnation trainer, uint64_t step);
  // All steps below are acknowledged by every ps: forgets them. Never goes back.
  void RaiseFloor(Incarnation trainer, uint64_t lowest_unacknowledged);
  // Forgets the trainers that are not in `members`: their incarnations never come back.
  void Keep(const std::set<Incarnation>& members);
  void Clear() { trainers_.clear(); }

  std::size_t trainers() const { return trainers_.size(); }

 private:
  struct Steps {
    uint64_t floor = 0;
    std::set<uint64_t> applied;  // at or above the floor; as many as a trainer has under way
  };
  std::map<Incarnation, Steps> trainers_;
};

}  // namespace primus::ps
