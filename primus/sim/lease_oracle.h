// No two live leases on one task: a task is leased again only when its holder has left the view and
// every trainer has settled in a view without it. Generations only rise.
//
// Sees the messages of the newest attempt as they are sent; a new flow ends all leases.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>

#include "primus/base/ids.h"
#include "primus/sim/verdict.h"

namespace primus::wire {
class Directive;
class LeaseRequest;
class LeaseResponse;
class ReplicaStatus;
}  // namespace primus::wire

namespace primus::sim {

class LeaseOracle {
 public:
  explicit LeaseOracle(Verdict& verdict) : verdict_(verdict) {}

  void OnDirective(const wire::Directive& directive);
  void OnStatus(const wire::ReplicaStatus& status);
  void OnAnswer(const wire::LeaseRequest& request, const wire::LeaseResponse& response);

 private:
  struct Lease {
    Generation generation = 0;
    Incarnation holder = 0;
  };
  using View = std::pair<uint64_t, uint64_t>;  // attempt, view

  void Judge(TaskId task, const Lease& before, const Lease& next);
  bool AllSettled(uint64_t view) const;

  Verdict& verdict_;
  View flow_;
  std::map<TaskId, Lease> leases_;            // of the flow
  std::set<Incarnation> trainers_;            // of the newest view
  std::set<Incarnation> members_;             // of the newest view
  std::map<Incarnation, uint64_t> departed_;  // holders, and the first view without them
  std::map<Incarnation, View> settled_;       // by trainer
};

}  // namespace primus::sim
