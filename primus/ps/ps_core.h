// What a ps decides (docs/protocol.md, sections 1, 2, 4 and 5): when it freezes, when it restores,
// what it drops, which pushes it has already applied, and what it reports. Parameters themselves
// are behind embedding::ShardStore; the shell (ps.h) does what the effects say.
//
// Pure: no clock, thread or I/O. Events come in the order in which they happen; effects are
// carried out at once and in order.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "primus/base/ids.h"
#include "primus/base/result.h"
#include "primus/jobspec/model_plan.h"
#include "primus/ps/applied_steps.h"

namespace primus::wire {
class Directive;
class PsStatus;
}  // namespace primus::wire

namespace primus::ps {

// Take a frozen copy now, and write it in the background as the blob `part`.
struct FreezeCut {
  Stamp stamp;  // its cut is the one to freeze
  std::string part;
};
// Forget the frozen copy and give up writing it.
struct DropCut {};
// Load the parts of the directive in force; whatever was there is dropped.
struct LoadModel {
  Stamp stamp;  // of the directive; names this restore
};
using Effect = std::variant<FreezeCut, DropCut, LoadModel>;

struct WrittenPart {
  std::string name;
  uint64_t size = 0;
  uint32_t crc32c = 0;
};

class PsCore {
 public:
  explicit PsCore(jobspec::ShardRange shards) : shards_(shards) {}

  std::vector<Effect> OnDirective(const wire::Directive& directive);
  // The part of the cut at `stamp` is durable, or could not be written. Of a dropped cut: ignored.
  void OnPart(const Stamp& stamp, const Result<WrittenPart>& part);
  // The model of the restore `stamp` is loaded. False if another has taken its place.
  bool OnLoaded(const Stamp& stamp);

  // Parameters are there to be pulled and pushed: kUnavailable before and during a restore.
  Status CheckServing() const;
  // Whether this push was applied before; if not, apply it and call OnPushed.
  bool WasApplied(Incarnation trainer, uint64_t step, uint64_t lowest_unacknowledged);
  void OnPushed(Incarnation trainer, uint64_t step) { applied_.Add(trainer, step); }

  void FillStatus(wire::PsStatus* status) const;

 private:
  struct Cut {
    Stamp stamp;
    std::optional<WrittenPart> part;
    Status error;
  };

  std::vector<Effect> OnRestore(const wire::Directive& directive);
  std::vector<Effect> OnRun(const wire::Directive& directive);
  // Drops a cut that `directive` shows to be saved or discarded.
  void DropIfOver(const wire::Directive& directive, std::vector<Effect>* effects);
  void Drop(std::vector<Effect>* effects);

  const jobspec::ShardRange shards_;
  AppliedSteps applied_;
  std::optional<Cut> cut_;  // frozen, neither saved nor discarded as far as is known
  Stamp last_frozen_;
  // Restores by attempt and view; what is not under way, or never was, is zero.
  std::pair<uint64_t, uint64_t> loading_;
  std::pair<uint64_t, uint64_t> restored_;
};

}  // namespace primus::ps
