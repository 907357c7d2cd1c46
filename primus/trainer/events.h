// What happens to a trainer and what it orders: the words between its core and its shell.
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "primus/base/ids.h"
#include "primus/base/status.h"
#include "primus/batch/coverage.h"
#include "primus/batch/minibatch.h"
#include "primus/train/batch_scores.h"

namespace primus::wire {
class Directive;
}

namespace primus::trainer {

using StepId = uint64_t;  // of one batch inside this process; not the number that a ps knows
using RingId = uint64_t;

// --- events

// A newer directive is in force. Only for the time of the call.
struct DirectiveAdopted {
  const wire::Directive* directive = nullptr;
};
struct RingOpened {
  RingId ring = 0;
  Incarnation writer = 0;
  Stamp flow;
};
struct RingReady {
  RingId ring = 0;
};
struct RingClosed {
  RingId ring = 0;
};
// The answers to TakeBatch.
struct BatchTaken {
  StepId step = 0;
  RingId ring = 0;
  batch::MiniBatchInfo info;
  uint64_t rows = 0;
  std::vector<batch::Span> spans;
};
struct RingEmpty {
  RingId ring = 0;
};
struct StepPrepared {
  StepId step = 0;
};
struct PullAnswered {
  StepId step = 0;
  uint32_t ps = 0;
  Status status;
};
struct StepRan {
  StepId step = 0;
  train::BatchScores scores;
};
// The batch cannot be trained on.
struct StepRefused {
  StepId step = 0;
  Status status;
};
struct PushAnswered {
  StepId step = 0;
  uint32_t ps = 0;
  Status status;
};
// next_wake() has come.
struct Woken {};

using Event =
    std::variant<DirectiveAdopted, RingOpened, RingReady, RingClosed, BatchTaken, RingEmpty,
                 StepPrepared, PullAnswered, StepRan, StepRefused, PushAnswered, Woken>;

// --- effects

// Take the next batch of the ring as `step`: answered with BatchTaken or RingEmpty at once.
struct TakeBatch {
  RingId ring = 0;
  StepId step = 0;
};
struct PrepareStep {
  StepId step = 0;
};
// To one ps, by ordinal in the view, under the stamp in force.
struct SendPull {
  StepId step = 0;
  uint32_t ps = 0;
};
struct RunStep {
  StepId step = 0;
};
struct SendPush {
  StepId step = 0;
  uint32_t ps = 0;
  uint64_t number = 0;  // the same for each ps and each try
  uint64_t lowest_unacknowledged = 0;
};
// The batch's bytes are not needed any more.
struct ReleaseSlot {
  StepId step = 0;
};
// Nothing more will be asked of the step; late answers are dropped.
struct ForgetStep {
  StepId step = 0;
};
struct CloseRing {
  RingId ring = 0;
};
struct ReportSoon {};
// The job cannot go on. `step`, unless 0, is the batch to blame: kept for a look.
struct FailJob {
  StepId step = 0;
  Status status;
};
// This replica is no member any more.
struct EndReplica {
  Status status;
};

using Effect = std::variant<TakeBatch, PrepareStep, SendPull, RunStep, SendPush, ReleaseSlot,
                            ForgetStep, CloseRing, ReportSoon, FailJob, EndReplica>;
using Effects = std::vector<Effect>;

}  // namespace primus::trainer
