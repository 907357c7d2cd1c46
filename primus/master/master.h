// The master's shell: one event loop, RPC, the record log and planning around master::Core.
//
// Nothing in it is real but what it is given, so it runs in the simulator. Start() once; `on_end`
// once, on the loop, with the process's exit code (0 completed or suspended, 1 failed, 3
// superseded).
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "primus/data/window_plan.h"
#include "primus/env/environment.h"
#include "primus/master/core.h"
#include "primus/rpc/network.h"
#include "primus/store/blob_store.h"

namespace primus::wire {
class JobStatus;
}

namespace primus::telemetry {
class Logger;
}

namespace primus::master {

struct MasterOptions {
  CoreOptions core;  // `attempt` is filled in
  std::string stream;
  rpc::Address address;  // its own
  rpc::Address node;
  uint64_t task_rows_max = 1 << 16;
  Duration ready_timeout = Seconds(6 * 3600);  // for a window that is not ready; then:
  data::Unready on_timeout = data::Unready::kFail;
  // Looks at the core after every turn; may be empty.
  std::function<void(const Core&)> observe;
  // Fills in what the job's status shows of the job's progress.
  std::function<void(const Core&, wire::JobStatus*)> describe;
  std::function<void(int exit_code)> on_end;
};

struct MasterWorld {
  env::Environment environment;
  rpc::Network& network;
  store::BlobStore& blobs;
  data::WindowPlanner& planner;
  telemetry::Logger& log;
};

class Master {
 public:
  Master(const MasterWorld& world, MasterOptions options);
  ~Master();
  void Start();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace primus::master
