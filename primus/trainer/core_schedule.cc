// The schedule of a trainer's steps: which begins, which waits, what is sent, held and reported.
#include <algorithm>
#include <utility>

#include "primus/trainer/core.h"

#include "proto/wire/control.pb.h"

namespace primus::trainer {
namespace {

// How long finished spans wait for company in a report: while batches come, and when none does.
constexpr Duration kReportDelay = Milliseconds(50);
constexpr Duration kQuietReportDelay = Milliseconds(5);
constexpr Duration kLeasePoll = Milliseconds(100);

}  // namespace

bool TrainerCore::MayBegin() const {
  return standing_ == Standing::kRunning && !cutting_ && !failed_ &&
         moment_.lease == Moment::Lease::kValid;
}

std::size_t TrainerCore::InFlight() const {
  return static_cast<std::size_t>(std::ranges::count_if(
      steps_, [](const auto& entry) { return entry.second.state != StepState::kTaken; }));
}

uint64_t TrainerCore::LowestUnacknowledged() const {
  uint64_t lowest = next_number_;
  for (const auto& [id, step] : steps_) {
    if (step.state == StepState::kPushing) lowest = std::min(lowest, step.number);
  }
  return lowest;
}

void TrainerCore::Advance() {
  BeginComputed();
  StartNext();
  SendDue();
  Settle();
  TakeNext();  // last: its answer comes before anything else
  const bool idle = MayBegin() && InFlight() == 0;
  if (!idle && idle_since_) progress_.wait += moment_.now - *idle_since_;
  if (!idle) idle_since_.reset();
  if (idle && !idle_since_) idle_since_ = moment_.now;
}

// Moves a step on and books the time that its last state took.
void TrainerCore::Enter(Step& step, StepState state) {
  const Duration spent = moment_.now - step.since;
  if (step.state == StepState::kPulling) progress_.pull += spent;
  if (step.state == StepState::kRunning) progress_.compute += spent;
  if (step.state == StepState::kPushing) progress_.push += spent;
  step.state = state;
  step.since = moment_.now;
}

void TrainerCore::BeginComputed() {
  if (!MayBegin()) return;
  std::vector<StepId> computed;
  for (const auto& [id, step] : steps_) {
    if (step.state == StepState::kComputed) computed.push_back(id);
  }
  for (const StepId id : computed) {
    Step& step = steps_.at(id);
    const bool pushes = step.batch.rows > 0 && step.batch.info.purpose != batch::Purpose::kHoldout;
    if (!pushes) {
      Finish(id);
      continue;
    }
    Enter(step, StepState::kPushing);
    step.number = next_number_++;
    step.begun_view = stamp_.view;
    step.calls.Start(ps_.size(), moment_.now);
  }
}

// All ps have acknowledged, or there was nothing to acknowledge.
void TrainerCore::Finish(StepId id) {
  Step& step = steps_.at(id);
  Enter(step, StepState::kPushing);
  unsaved_.Add(step.batch.spans, step.scores);
  if (!step.scores.predictions.empty()) {
    progress_.loss_sum += step.scores.loss_sum;
    progress_.loss_rows += step.batch.rows;
  }
  Forget(id);
}

// What a batch is decides what it waits for.
void TrainerCore::StartNext() {
  if (!MayBegin()) return;
  for (auto& [id, step] : steps_) {
    if (step.state != StepState::kTaken) continue;
    const batch::MiniBatchInfo& info = step.batch.info;
    const bool alone =
        info.purpose == batch::Purpose::kProgressive ||
        (info.purpose == batch::Purpose::kTrain && options_.overlap == Overlap::kNone);
    const bool other_phase = std::ranges::any_of(steps_, [&](const auto& entry) {
      return entry.second.state != StepState::kTaken && entry.second.batch.info.phase != info.phase;
    });
    if (other_phase || InFlight() >= (alone ? 1 : options_.steps_max)) return;
    step.since = moment_.now;
    if (step.batch.rows > 0) {
      Enter(step, StepState::kPreparing);
      effects_.push_back(PrepareStep{id});
    } else {
      Enter(step, StepState::kComputed);
      effects_.push_back(ReleaseSlot{id});
      BeginComputed();
    }
    return;  // the step may be gone
  }
}

// One batch at most is taken and not started.
void TrainerCore::TakeNext() {
  if (!MayBegin()) return;
  const bool waiting = std::ranges::any_of(
      steps_, [](const auto& entry) { return entry.second.state == StepState::kTaken; });
  if (waiting || InFlight() >= options_.steps_max || rings_.empty()) return;
  // In turn: the next ready ring after the last one.
  auto it = rings_.upper_bound(last_ring_);
  for (std::size_t tried = 0; tried < rings_.size(); ++tried, ++it) {
    if (it == rings_.end()) it = rings_.begin();
    if (it->second.state != Ring::State::kReady) continue;
    last_ring_ = it->first;
    effects_.push_back(TakeBatch{.ring = it->first, .step = next_step_++});
    return;
  }
}

void TrainerCore::SendDue() {
  if (standing_ != Standing::kRunning) return;
  for (auto& [id, step] : steps_) {
    const bool pulling = step.state == StepState::kPulling;
    if (!pulling && step.state != StepState::kPushing) continue;
    for (const uint32_t ps : step.calls.TakeDue(moment_.now)) {
      if (pulling) {
        effects_.push_back(SendPull{.step = id, .ps = ps});
      } else {
        effects_.push_back(SendPush{.step = id,
                                    .ps = ps,
                                    .number = step.number,
                                    .lowest_unacknowledged = LowestUnacknowledged()});
      }
    }
  }
}

// Settles in the view, holds at the cut, and reports what is due.
void TrainerCore::Settle() {
  if (standing_ != Standing::kRunning) return;
  bool begun = false;
  bool begun_before = false;
  for (const auto& [id, step] : steps_) {
    if (step.state != StepState::kPushing) continue;
    begun = true;
    begun_before = begun_before || step.begun_view < stamp_.view;
  }
  bool report = false;
  if (!begun_before && settled_view_ != stamp_.view) {
    settled_view_ = stamp_.view;
    report = true;
  }
  if (cutting_ && !begun && held_cut_ != stamp_.cut) {
    held_cut_ = stamp_.cut;
    unsaved_.Hold(stamp_.cut);
    report = true;
  }
  if (unsaved_.has_open()) {
    const bool quiet = steps_.empty() && std::ranges::none_of(rings_, [](const auto& entry) {
                         return entry.second.state == Ring::State::kReady;
                       });
    const Instant due = moment_.now + (quiet ? kQuietReportDelay : kReportDelay);
    report_due_ = std::min(report_due_.value_or(due), due);
    report = report || *report_due_ <= moment_.now;
  } else {
    report_due_.reset();
  }
  if (!report) return;
  effects_.push_back(ReportSoon{});
  report_due_.reset();
}

std::optional<Instant> TrainerCore::next_wake() const {
  if (standing_ != Standing::kRunning) return std::nullopt;
  std::optional<Instant> first = report_due_;
  const auto include = [&first](std::optional<Instant> other) {
    if (other && (!first || *other < *first)) first = other;
  };
  for (const auto& [id, step] : steps_) {
    const bool sends = step.state == StepState::kPulling || step.state == StepState::kPushing;
    if (sends) include(step.calls.next_due());
  }
  if (moment_.lease == Moment::Lease::kLapsed) include(moment_.now + kLeasePoll);
  return first;
}

void TrainerCore::FillStatus(wire::TrainerStatus* status) {
  unsaved_.Report(status);
  status->set_settled_view(settled_view_);
  status->set_held_cut(held_cut_);
  if (held_cut_ != 0) status->set_metrics(unsaved_.Metrics());
  wire::TrainerProgress* progress = status->mutable_progress();
  progress->set_loss_sum(progress_.loss_sum);
  progress->set_loss_rows(progress_.loss_rows);
  progress->set_wait_seconds(ToSeconds(progress_.wait));
  progress->set_pull_seconds(ToSeconds(progress_.pull));
  progress->set_compute_seconds(ToSeconds(progress_.compute));
  progress->set_push_seconds(ToSeconds(progress_.push));
}

}  // namespace primus::trainer
