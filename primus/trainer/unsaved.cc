#include "primus/trainer/unsaved.h"

#include <utility>

#include "primus/batch/wire_spans.h"

#include "proto/wire/control.pb.h"

namespace primus::trainer {
void Unsaved::Add(const std::vector<batch::Span>& spans, const train::BatchScores& scores) {
  open_.insert(open_.end(), spans.begin(), spans.end());
  if (!scores.labels.empty()) open_metrics_.Add(scores);
}

void Unsaved::CloseOpen() {
  if (open_.empty()) return;
  batch::Compact(open_);
  increments_.push_back({.number = next_number_++, .cut = 0, .spans = std::exchange(open_, {})});
}

void Unsaved::Hold(uint64_t cut) {
  CloseOpen();
  for (Increment& increment : increments_) {
    if (increment.cut == 0) increment.cut = cut;
  }
  if (open_metrics_.empty()) return;
  segments_.push_back({.cut = cut, .metrics = std::exchange(open_metrics_, {})});
}

void Unsaved::Saved(uint64_t cut) {
  const auto covered = [cut](const auto& entry) { return entry.cut != 0 && entry.cut <= cut; };
  std::erase_if(increments_, covered);
  std::erase_if(segments_, covered);
}

void Unsaved::Clear() {
  open_.clear();
  increments_.clear();
  segments_.clear();
  open_metrics_ = {};
}

void Unsaved::Report(wire::TrainerStatus* status) {
  CloseOpen();
  for (const Increment& increment : increments_) {
    if (increment.number <= acknowledged_) continue;
    wire::Increment* out = status->add_increments();
    out->set_number(increment.number);
    batch::AddSpans(increment.spans, out->mutable_spans());
  }
}

std::string Unsaved::Metrics() const {
  train::MetricState all;
  for (const Segment& segment : segments_) all.Merge(segment.metrics);
  all.Merge(open_metrics_);
  return all.Serialize();
}

}  // namespace primus::trainer
