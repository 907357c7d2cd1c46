// For tests of this module: a replica as its master sees it. It adopts directives by the rules of
// docs/protocol.md and does at once what they ask, but for what its `will` leaves out.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "primus/base/ids.h"
#include "primus/base/status.h"
#include "primus/member/session.h"

namespace primus::wire {
class Directive;
class ReplicaStatus;
}  // namespace primus::wire

namespace primus::master {

class TestReplica {
 public:
  // What it does when it is told to. What is false comes later, or never.
  struct Will {
    bool report = true;
    bool restore = true;
    bool settle = true;
    bool hold = true;
    bool freeze = true;
    bool write = true;
    Status write_error;  // instead of parts
  };

  TestReplica(ReplicaId replica, std::string container);
  ~TestReplica();

  // Takes a directive, if it is newer, and acts on it.
  void Adopt(const wire::Directive& directive);
  // Does what the directive in force asks.
  void Act();
  wire::ReplicaStatus StatusNow() const;
  // Trainer: rows [begin, end) of a task are trained; they go out with the next report.
  void Train(TaskId task, uint64_t begin, uint64_t end);

  const wire::Directive& directive() const;
  int mode() const;       // a wire::Mode
  int cut_stage() const;  // a wire::CutStage
  Stamp stamp() const;
  Incarnation incarnation() const;
  const std::string& container() const { return container_; }
  const ReplicaId& replica() const { return replica_; }
  member::RoleKind kind() const;
  // Ps: the cut that it loaded last, 0 for a fresh model; nothing before the first load.
  std::optional<uint64_t> restored_cut() const { return restored_cut_; }

  Will will;
  Status failure;  // it cannot go on

 private:
  struct Increment;

  void Fence();
  void ActAsPs();
  void ActAsTrainer();

  ReplicaId replica_;
  std::string container_;
  std::unique_ptr<wire::Directive> directive_;
  std::unique_ptr<wire::Directive> held_;  // the newest other than ATTACH
  std::vector<Increment> increments_;      // unsaved
  uint64_t next_increment_ = 1;
  uint64_t settled_view_ = 0;
  uint64_t held_cut_ = 0;
  uint64_t restored_view_ = 0;
  std::optional<uint64_t> restored_cut_;
  Stamp frozen_;
};

}  // namespace primus::master
