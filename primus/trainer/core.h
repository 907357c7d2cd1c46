// What a trainer does on what happens (docs/protocol.md, sections 1 to 6), without a clock, thread
// or socket.
//
// A batch goes through these states:
//   taken -> preparing -> pulling -> running -> computed -> pushing (begun) -> done
// A batch without rows, or in hold-out, is done from `computed` at once. Only a step that may begin
// leaves `computed`: not while the trainer holds, attaches or is fenced, nor without a word from
// the master. Steps of different phases never overlap. Begun pushes are sent until every ps has
// acknowledged them; what is not begun can be thrown away, and its rows are read again.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "primus/base/time.h"
#include "primus/trainer/events.h"
#include "primus/trainer/fanout.h"
#include "primus/trainer/progress.h"
#include "primus/trainer/unsaved.h"

namespace primus::wire {
class TrainerStatus;
}

namespace primus::trainer {

enum class Overlap {
  kNone,     // Sync: a pull sees every earlier push
  kAllowed,  // Async
};

struct CoreOptions {
  std::size_t steps_max = 3;  // in flight
  Overlap overlap = Overlap::kAllowed;
};

// When something happens.
struct Moment {
  Instant now;
  enum class Lease { kValid, kLapsed } lease = Lease::kValid;
};

class TrainerCore {
 public:
  explicit TrainerCore(CoreOptions options) : options_(options) {}

  Effects On(const Event& event, const Moment& moment);
  // When to come back with Woken; nothing: no need.
  std::optional<Instant> next_wake() const;

  // OK if a writer may connect now; its Hello says `flow`.
  Status AdmitWriter(Incarnation writer, const Stamp& flow) const;
  // The trainer's part of a report; closes the open increment.
  void FillStatus(wire::TrainerStatus* status);

 private:
  enum class Standing { kFenced, kAttached, kRunning };
  enum class StepState {
    kTaken,
    kPreparing,
    kPulling,
    kRunning,
    kComputed,
    kPushing,
    kRefused,
    kAbandoned
  };
  struct Step {
    BatchTaken batch;
    Incarnation writer = 0;
    Stamp flow;
    StepState state = StepState::kTaken;
    Fanout calls;             // pulls, then pushes
    uint64_t number = 0;      // once begun
    uint64_t begun_view = 0;  // once begun
    train::BatchScores scores;
    Instant since;
  };
  struct Ring {
    Incarnation writer = 0;
    Stamp flow;
    enum class State { kReady, kEmpty } state = State::kReady;
  };

  void Handle(const DirectiveAdopted& event);
  void Handle(const RingOpened& event);
  void Handle(const RingReady& event);
  void Handle(const RingClosed& event);
  void Handle(const BatchTaken& event);
  void Handle(const RingEmpty& event);
  void Handle(const StepPrepared& event);
  void Handle(const PullAnswered& event);
  void Handle(const StepRan& event);
  void Handle(const StepRefused& event);
  void Handle(const PushAnswered& event);
  void Handle(const Woken& /*event*/) {}  // Advance follows every event

  void Fence();
  void Run(const wire::Directive& directive);
  void DropStale();
  void Abandon(StepId id);
  void Forget(StepId id);
  Step* Live(StepId id);

  void Advance();
  void BeginComputed();
  void StartNext();
  void TakeNext();
  void SendDue();
  void Settle();
  void Enter(Step& step, StepState state);
  void Finish(StepId id);
  void Answered(Step& step, uint32_t ps, const Status& status);
  void Fail(StepId id, const Status& status);
  bool MayBegin() const;
  std::size_t InFlight() const;
  uint64_t LowestUnacknowledged() const;
  bool Welcome(Incarnation writer, const Stamp& flow) const;

  CoreOptions options_;
  Standing standing_ = Standing::kFenced;
  Stamp stamp_;
  Stamp flow_;
  bool cutting_ = false;  // HOLD or FREEZE at stamp_.cut
  std::set<Incarnation> writers_;
  std::vector<Incarnation> ps_;

  std::map<StepId, Step> steps_;
  std::map<RingId, Ring> rings_;
  RingId last_ring_ = 0;
  StepId next_step_ = 1;
  uint64_t next_number_ = 1;
  uint64_t settled_view_ = 0;
  uint64_t held_cut_ = 0;
  bool failed_ = false;
  std::optional<Instant> report_due_;
  Unsaved unsaved_;
  Progress progress_;

  std::optional<Instant> idle_since_;

  Moment moment_;
  Effects effects_;
};

}  // namespace primus::trainer
