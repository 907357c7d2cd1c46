// Sees every message of a job and shows it to those who judge: the order of directives and stamps
// as each replica accepts them, leases, pushes, saved cuts; and to the watch of the job's state.
#pragma once

#include <cstdint>
#include <map>
#include <utility>

#include "primus/base/ids.h"
#include "primus/sim/job_watch.h"
#include "primus/sim/lease_oracle.h"
#include "primus/sim/network.h"
#include "primus/sim/push_oracle.h"
#include "primus/sim/record_oracle.h"
#include "primus/sim/verdict.h"

namespace primus::sim {

class Witness {
 public:
  // All outlive the witness.
  Witness(JobWatch& watch, RecordOracle& records, Verdict& verdict)
      : watch_(watch), records_(records), verdict_(verdict), leases_(verdict), pushes_(verdict) {}

  void OnSent(const Sent& sent);

 private:
  struct Replica {
    std::pair<uint64_t, uint64_t> directive;  // attempt, sequence
    Stamp stamp;
    Stamp held;
    Incarnation incarnation = 0;
  };

  void OnStatus(ProcessId process, const wire::ReplicaStatus& status);
  void OnDirective(ProcessId master, const wire::Directive& directive);

  JobWatch& watch_;
  RecordOracle& records_;
  Verdict& verdict_;
  LeaseOracle leases_;
  PushOracle pushes_;
  std::map<ProcessId, Replica> replicas_;
  std::map<uint64_t, Stamp> ordered_;  // the newest stamp of each attempt's directives
};

}  // namespace primus::sim
