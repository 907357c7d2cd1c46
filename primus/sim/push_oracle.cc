#include "primus/sim/push_oracle.h"

#include <string>

#include "proto/wire/control.pb.h"
#include "proto/wire/parameters.pb.h"

namespace primus::sim {

void PushOracle::OnStatus(ProcessId process, const wire::ReplicaStatus& status) {
  if (status.kind() != wire::PS) return;
  Ps& ps = ps_[process];
  if (ps.restored_view == status.ps().restored_view()) return;
  ps.restored_view = status.ps().restored_view();
  ps.spans.clear();
}

void PushOracle::OnAcknowledged(ProcessId process, const wire::PushRequest& request) {
  const Step step(request.trainer(), request.step());
  for (const wire::Spans& group : request.spans()) {
    std::map<uint64_t, Span>& spans = ps_[process].spans[group.task()];
    for (int i = 0; i + 1 < group.bounds_size(); i += 2) {
      const uint64_t begin = group.bounds(i);
      const uint64_t end = group.bounds(i + 1);
      // The last that begins before `end` is the only one that may reach into it.
      auto it = spans.lower_bound(end);
      const bool meets = it != spans.begin() && (--it)->second.end > begin;
      if (meets && it->second.step != step) {
        return verdict_.Violated("rows [" + std::to_string(begin) + ", " + std::to_string(end) +
                                 ") of task " + std::to_string(group.task()) +
                                 " are in two steps that one ps acknowledged");
      }
      if (!meets) spans[begin] = {.end = end, .step = step};
    }
  }
}

}  // namespace primus::sim
