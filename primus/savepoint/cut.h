// One cut on its way from HOLD to a manifest: the stages of docs/protocol.md, section 4.
//
// Level-triggered: the master shows it the newest statuses, and it says which stage they reach.
// Pure; owned by the master's core, which goes from stage to stage in primus/master/cuts.cc. Each
// ps takes its frozen copy in Ps::State::Do(const FreezeCut&) (primus/ps/ps.cc).
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "primus/base/ids.h"
#include "primus/base/result.h"
#include "primus/data/ledger.h"

namespace primus::wire {
class Manifest;
class Part;
class ReplicaStatus;
}  // namespace primus::wire

namespace primus::savepoint {

enum class CutReason { kInterval, kPhase, kStop };
std::string_view CutReasonName(CutReason reason);

enum class CutStage {
  kNone,
  kHold,    // trainers finish their steps
  kFreeze,  // all hold; ps take their frozen copies
  kWrite,   // all are frozen and trainers go on; parts are being written
  kCommit,  // all parts are there: the manifest is being put
};

class Cut {
 public:
  CutStage stage() const { return stage_; }
  uint64_t number() const { return number_; }  // of the newest cut, also when it is over
  CutReason reason() const { return reason_; }

  // Numbers go on from here: no cut gets `number` or a lower one.
  void Skip(uint64_t number);
  // Needs stage kNone. `trainers` and `ps` are the incarnations of the view.
  void Begin(CutReason reason, std::set<Incarnation> trainers, std::set<Incarnation> ps);
  // The newest status of a member.
  void Hear(Incarnation incarnation, const wire::ReplicaStatus& status);

  // kHold and all trainers hold.
  bool AllHold() const;
  // `position` and `counts` are the ledger's, with everything that was reported up to the hold.
  void Freeze(data::Position position, data::RowCounts counts);
  bool AllFrozen() const;
  void Release();
  // kWrite and all parts are durable.
  bool AllWritten() const;
  // The error of a ps that could not write its parts; OK otherwise.
  Status WriteError() const;
  // Fills cut, reason, position and parts; the caller adds what it knows. Stage kCommit follows.
  void Commit(wire::Manifest* manifest);
  // The manifest is put, or the cut is given up.
  void End();

  // What the trainers gave at the hold, by incarnation.
  std::vector<std::string> metrics() const;
  const data::RowCounts& counts() const { return counts_; }

 private:
  struct PsPart {
    bool frozen = false;
    bool written = false;
    Status error;
    std::vector<std::string> parts;  // serialised wire::Part
  };

  CutStage stage_ = CutStage::kNone;
  uint64_t number_ = 0;
  CutReason reason_ = CutReason::kInterval;
  std::map<Incarnation, std::string> held_;  // metrics of trainers that hold
  std::set<Incarnation> trainers_;
  std::map<Incarnation, PsPart> ps_;
  data::Position position_;
  data::RowCounts counts_;
};

}  // namespace primus::savepoint
