// What a trainer has done that no save point covers yet: increments of spans, and metrics.
//
// Spans of finished batches gather in the open increment; Report closes it under the next number.
// Hold binds everything so far to a cut, Saved drops what cuts up to that one cover. A cut that is
// discarded keeps its share, which the next one then covers. Value; no clock, no thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "primus/batch/coverage.h"
#include "primus/train/metrics.h"

namespace primus::wire {
class TrainerStatus;
}

namespace primus::trainer {

class Unsaved {
 public:
  // A batch is done.
  void Add(const std::vector<batch::Span>& spans, const train::BatchScores& scores);
  // The master has all increments up to this one. A new attempt starts at 0 again.
  void Acknowledge(uint64_t number) { acknowledged_ = number; }
  void Hold(uint64_t cut);
  void Saved(uint64_t cut);
  // A rollback: all of it is gone from the model too. Numbers go on.
  void Clear();

  // Whether a report would say something new.
  bool has_open() const { return !open_.empty(); }
  // Writes the increments above the acknowledged one.
  void Report(wire::TrainerStatus* status);
  // Serialised: all that is not saved.
  std::string Metrics() const;

 private:
  struct Increment {
    uint64_t number = 0;
    uint64_t cut = 0;  // that covers it; 0 before the next Hold
    std::vector<batch::Span> spans;
  };
  struct Segment {
    uint64_t cut = 0;
    train::MetricState metrics;
  };
  void CloseOpen();

  std::vector<batch::Span> open_;
  std::vector<Increment> increments_;  // by number
  std::vector<Segment> segments_;      // by cut, all held
  train::MetricState open_metrics_;
  uint64_t next_number_ = 1;
  uint64_t acknowledged_ = 0;
};

}  // namespace primus::trainer
