// For tests: a TrainerCore whose orders are kept until the test answers them. Batches are taken at
// once from what the test published.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "primus/trainer/core.h"

namespace primus::wire {
class TrainerStatus;
}

namespace primus::trainer {

inline constexpr Incarnation kSelf = 100;
inline constexpr Incarnation kWriter = 201;
inline constexpr Incarnation kOtherWriter = 202;

// RUN in attempt 1 with two ps and the given executors; flow is view 1.
wire::Directive RunDirective(uint64_t view, const std::vector<Incarnation>& writers);
wire::Directive WithMode(wire::Directive directive, int mode);
wire::Directive AtCut(wire::Directive directive, uint64_t cut, int stage);

class CoreHarness {
 public:
  explicit CoreHarness(CoreOptions options = {}) : core(options) {}

  void On(const Event& event) {
    for (const Effect& effect : core.On(event, {.now = now, .lease = lease})) {
      std::visit([this](const auto& order) { Keep(order); }, effect);
    }
  }
  void Direct(const wire::Directive& directive) { On(DirectiveAdopted{&directive}); }
  void Open(RingId ring, Incarnation writer) {
    On(RingOpened{.ring = ring, .writer = writer, .flow = {.attempt = 1, .view = 1, .cut = 0}});
  }
  // A batch of 10 rows of task `task`.
  void Publish(RingId ring, TaskId task, const batch::MiniBatchInfo& info = {},
               uint64_t rows = 10) {
    BatchTaken batch{.step = 0, .ring = ring, .info = info, .rows = rows, .spans = {}};
    const auto kind = info.purpose == batch::Purpose::kHoldout ? batch::RowKind::kEvaluated
                                                               : batch::RowKind::kTrained;
    batch.spans.push_back({.task = task, .kind = kind, .begin = 0, .end = 10});
    published[ring].push_back(batch);
    On(RingReady{ring});
  }

  void PrepareAll() {
    for (const StepId step : std::exchange(preparing, {})) On(StepPrepared{step});
  }
  void AnswerPulls(const Status& status = OkStatus()) {
    for (const SendPull& pull : std::exchange(pulls, {})) {
      On(PullAnswered{.step = pull.step, .ps = pull.ps, .status = status});
    }
  }
  void RunAll() {
    for (const StepId step : std::exchange(running, {})) {
      train::BatchScores scores;
      scores.info = infos[step];
      scores.labels.assign(10, 1.0F);
      scores.predictions.push_back({});
      scores.predictions[0].logits.assign(10, 0.5F);
      scores.loss_sum = 5;
      On(StepRan{.step = step, .scores = scores});
    }
  }
  // Everything up to the pushes, or the end of a hold-out batch.
  void Compute() {
    PrepareAll();
    AnswerPulls();
    RunAll();
  }
  void AnswerPushes(const Status& status = OkStatus()) {
    for (const SendPush& push : std::exchange(pushes, {})) Acknowledge(push, status);
  }
  void Acknowledge(const SendPush& push, const Status& status = OkStatus()) {
    On(PushAnswered{.step = push.step, .ps = push.ps, .status = status});
  }
  void Pass(Duration time) {
    now += time;
    On(Woken{});
  }

  wire::TrainerStatus Report();
  // Tasks of all increments in a report, in order.
  static std::vector<uint64_t> TasksOf(const wire::TrainerStatus& status);

  TrainerCore core;
  Instant now{Seconds(1)};
  Moment::Lease lease = Moment::Lease::kValid;
  std::map<RingId, std::deque<BatchTaken>> published;
  std::map<StepId, batch::MiniBatchInfo> infos;

  // Orders not answered yet, and what was ordered so far.
  std::vector<StepId> preparing;
  std::vector<SendPull> pulls;
  std::vector<StepId> running;
  std::vector<SendPush> pushes;
  std::vector<StepId> released;
  std::vector<StepId> forgotten;
  std::vector<RingId> closed;
  int reports = 0;
  std::vector<FailJob> failures;
  std::vector<Status> ends;

 private:
  void Keep(const TakeBatch& order) {
    std::deque<BatchTaken>& queue = published[order.ring];
    if (queue.empty()) return On(RingEmpty{order.ring});
    BatchTaken batch = queue.front();
    queue.pop_front();
    batch.step = order.step;
    infos[order.step] = batch.info;
    On(batch);
  }
  void Keep(const PrepareStep& order) { preparing.push_back(order.step); }
  void Keep(const SendPull& order) { pulls.push_back(order); }
  void Keep(const RunStep& order) { running.push_back(order.step); }
  void Keep(const SendPush& order) { pushes.push_back(order); }
  void Keep(const ReleaseSlot& order) { released.push_back(order.step); }
  void Keep(const ForgetStep& order) { forgotten.push_back(order.step); }
  void Keep(const CloseRing& order) { closed.push_back(order.ring); }
  void Keep(const ReportSoon& /*order*/) { ++reports; }
  void Keep(const FailJob& order) { failures.push_back(order); }
  void Keep(const EndReplica& order) { ends.push_back(order.status); }
};

inline const batch::MiniBatchInfo kHoldout{.purpose = batch::Purpose::kHoldout, .phase = 2};
inline const batch::MiniBatchInfo kProgressive{.purpose = batch::Purpose::kProgressive, .phase = 3};

}  // namespace primus::trainer
