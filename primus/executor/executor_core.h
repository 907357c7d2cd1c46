// What an executor does, as a pure protocol core: On(event, now) gives the effects.
//
// It leases tasks, has them read one call at a time and in lease order, cuts batches, and sends
// them where there is credit. Rules: docs/protocol.md. The shell (executor.h) owns clock, calls,
// streams and rings, and carries the effects out in order. Values in, values out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "primus/base/ids.h"
#include "primus/base/result.h"
#include "primus/base/time.h"
#include "primus/executor/batch_cutter.h"
#include "primus/executor/lease_queue.h"
#include "primus/executor/leased_task.h"
#include "primus/executor/rings.h"
#include "primus/executor/task_reader.h"

namespace primus::executor {

// What the newest directive makes of this replica.
enum class Standing {
  kFenced,    // also restoring, leaving, or not in the view: nothing is kept
  kAttached,  // a new master asks: everything is kept, nothing goes on
  kRunning,
};

// --- events
struct DirectiveAdopted {
  Standing standing = Standing::kFenced;
  Stamp flow;
  std::vector<Trainer> trainers;
};
struct LeaseAnswered {
  uint64_t request = 0;
  Result<LeaseAnswer> answer;
};
struct RowsCame {
  ReadId read = 0;
  std::shared_ptr<const batch::EncodedRows> rows;
};
struct TaskEnded {
  ReadId read = 0;
};
struct ReadFailed {
  ReadId read = 0;
  Status error;
};
struct RingOpened {
  Rings::RingId ring = 0;
};
// Refused (kInvalidArgument: for good), or the trainer is gone.
struct RingClosed {
  Rings::RingId ring = 0;
  Status reason;
};
struct SlotReserved {
  Rings::RingId ring = 0;
};
struct BatchRefused {  // a batch does not fit into a slot
  Status error;
};
struct Woken {};

using Event = std::variant<DirectiveAdopted, LeaseAnswered, RowsCame, TaskEnded, ReadFailed,
                           RingOpened, RingClosed, SlotReserved, BatchRefused, Woken>;

// --- effects
struct AskLease {
  uint64_t request = 0;
  uint32_t tasks_max = 0;
};
struct CloseTask {};
struct OpenRing {
  Rings::RingId ring = 0;
  Trainer trainer;
  Stamp flow;
};
struct CloseRing {
  Rings::RingId ring = 0;
};
// Into the slot that is reserved there.
struct SendBatch {
  Rings::RingId ring = 0;
  CutBatch batch;
};
struct FailJob {
  Status error;
};
struct EndReplica {
  Status error;
};

using Effect = std::variant<AskLease, OpenTask, ReadRows, CloseTask, OpenRing, CloseRing, SendBatch,
                            FailJob, EndReplica>;

class ExecutorCore {
 public:
  struct Options {
    BatchCutter::Options batch;
    Turn turn = Turn::kByCredit;
    std::size_t rows_buffered_max = 4096;  // no read is begun with as many waiting
  };

  explicit ExecutorCore(const Options& options)
      : options_(options), rings_(options.turn), cutter_(options.batch) {}

  std::vector<Effect> On(Event event, Instant now);
  // When to send Woken.
  std::optional<Instant> next_wake() const;

 private:
  void Take(DirectiveAdopted event, Instant now);
  void Take(LeaseAnswered event, Instant now);
  void Take(RowsCame event, Instant now);
  void Take(TaskEnded event, Instant now);
  void Take(ReadFailed event, Instant now);
  void Take(RingOpened event, Instant now);
  void Take(RingClosed event, Instant now);
  void Take(SlotReserved event, Instant now);
  void Take(BatchRefused event, Instant now);
  void Take(Woken event, Instant now);

  bool working() const { return standing_ == Standing::kRunning && !failed_; }
  bool may_read() const { return cutter_.rows() < options_.rows_buffered_max; }
  void Drop(Instant now);
  void Fail(const Status& error);
  void GoOn(Instant now);
  void Send();
  void Read(Instant now);

  const Options options_;
  Standing standing_ = Standing::kFenced;
  Stamp flow_;
  bool failed_ = false;
  Rings rings_;
  LeaseQueue leases_;
  TaskReader reader_;
  BatchCutter cutter_;
  std::vector<Effect> effects_;  // of the event under way
};

}  // namespace primus::executor
