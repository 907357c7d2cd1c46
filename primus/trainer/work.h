// The data of one step, while it is in flight: what the core knows only by number.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "primus/handover/handover.h"
#include "primus/train/step.h"
#include "primus/trainer/events.h"
#include "primus/trainer/routing.h"

namespace primus::trainer {

// Shared by the loop and, while it runs, the pool; never touched by both at once.
struct Work {
  StepId id = 0;
  // Kept alive until the bytes are not needed, also when the ring is closed meanwhile.
  std::shared_ptr<handover::Reader> reader;
  handover::Slot slot;
  std::optional<batch::MiniBatchView> view;
  std::vector<batch::Span> spans;
  batch::MiniBatchInfo info;
  std::size_t rows = 0;

  std::unique_ptr<train::Step> lane;  // between PrepareStep and the end
  std::shared_ptr<const Routing> routing;
  train::BatchKeys keys;
  KeyRoute route;
  Parameters pulled;
  std::optional<Result<train::StepResult>> result;

  // The bytes are not needed any more.
  void Release();
};

// "task 3 rows [0, 256)", for people.
std::string Coordinates(const std::vector<batch::Span>& spans);

}  // namespace primus::trainer
