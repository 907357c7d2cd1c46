// The trainer: takes minibatches from executors, pulls, computes, pushes, and tells the master what
// it trained. A thin shell of TrainerCore (core.h): it does what the core orders and tells it what
// happened.
//
// Nothing in it is real or simulated: the caller gives network, hand-over, pool and blobs. Loop
// thread only; Prepare and Run of a step go to the pool, each on a Step of its own.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "primus/base/result.h"
#include "primus/env/environment.h"
#include "primus/handover/handover.h"
#include "primus/jobspec/model_plan.h"
#include "primus/member/session.h"
#include "primus/rpc/network.h"
#include "primus/store/blob_store.h"
#include "primus/telemetry/logger.h"
#include "primus/train/step.h"
#include "primus/trainer/core.h"

namespace primus::trainer {

// All outlive the trainer.
struct TrainerWorld {
  env::Environment environment;
  rpc::Network& network;
  handover::Handover& handover;
  store::BlobStore& blobs;  // of the job: batches that cannot be trained on are kept there
  telemetry::Logger& log;
};

struct TrainerOptions {
  member::SessionOptions session;
  jobspec::ModelPlan plan;
  Overlap overlap = Overlap::kAllowed;
  std::string build;  // of this binary; writers of another one are refused
};

class Trainer {
 public:
  // Serves and listens, and registers with the master. `steps`: one for each that may be in
  // flight. `on_end` on the loop, once: OK after LEAVE, otherwise why this replica must exit.
  static Result<std::unique_ptr<Trainer>> Create(const TrainerWorld& world, TrainerOptions options,
                                                 std::vector<std::unique_ptr<train::Step>> steps,
                                                 std::function<void(Status)> on_end);
  ~Trainer();
  Trainer(const Trainer&) = delete;
  Trainer& operator=(const Trainer&) = delete;

 private:
  struct State;
  explicit Trainer(std::shared_ptr<State> state);
  std::shared_ptr<State> state_;
};

}  // namespace primus::trainer
