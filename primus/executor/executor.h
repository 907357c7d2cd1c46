// The executor's shell: carries out what ExecutorCore orders, with the seams it is given.
//
// Owns its session with the master, its rings and the stream being read. Nothing in it is real
// or simulated: the seams are. Built, used and destroyed on the loop thread.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "primus/base/result.h"
#include "primus/batch/encoded_rows.h"
#include "primus/data/row_stream.h"
#include "primus/env/environment.h"
#include "primus/executor/executor_core.h"
#include "primus/handover/handover.h"
#include "primus/member/session.h"
#include "primus/rpc/network.h"
#include "primus/telemetry/logger.h"

namespace primus::executor {

class Executor {
 public:
  // All outlive the executor.
  struct Seams {
    env::Environment environment;
    rpc::Network& network;
    handover::Handover& handover;
    data::RowStreams& streams;
    telemetry::Logger& log;
  };
  struct Options {
    member::SessionOptions session;
    ExecutorCore::Options core;
    batch::Layout layout;
    handover::ChannelOptions ring;
    std::string build;  // in every Hello
  };

  // Listens at options.session.own and begins to report. `on_end`, once and on the loop: the
  // process must end (OK: the job is over).
  static Result<std::unique_ptr<Executor>> Create(const Seams& seams, Options options,
                                                  std::function<void(Status)> on_end);
  ~Executor();
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

 private:
  struct State;
  explicit Executor(std::shared_ptr<State> state);
  std::shared_ptr<State> state_;
};

}  // namespace primus::executor
