// The shell of the ps role: serves pull and push from an embedding::ShardStore, and does what
// PsCore decides. Everything runs on the loop of the environment except reading and writing parts,
// which the pool does.
//
// Nothing in here is real: loop, pool, network, blobs and parameters are given, so the same shell
// runs in the simulator.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "primus/embedding/shard_store.h"
#include "primus/env/environment.h"
#include "primus/jobspec/model_plan.h"
#include "primus/member/session.h"
#include "primus/rpc/network.h"
#include "primus/store/blob_store.h"
#include "primus/telemetry/logger.h"

namespace primus::ps {

struct PsOptions {
  std::string job;
  member::SessionOptions session;  // its kind is set here
  jobspec::ModelPlan plan;
  jobspec::ShardRange shards;
  // A fresh model of `shards`. Runs in the pool too.
  embedding::ShardStoreMaker new_store;
  // The replica must end, see member::Session.
  std::function<void(Status)> on_end;
};

// What a ps reaches outside of itself. All of it outlives the ps.
struct PsSeams {
  rpc::Network& network;
  store::BlobStore& blobs;
  telemetry::Logger& log;
};

class Ps {
 public:
  Ps(const env::Environment& environment, const PsSeams& seams, PsOptions options);
  ~Ps();

  // Listens at options.session.own and registers with the master.
  Status Start();

 private:
  struct State;
  std::shared_ptr<State> state_;  // work in the pool may outlive the ps
};

}  // namespace primus::ps
