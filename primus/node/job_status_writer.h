// Node's part of a Job's status: conditions and roles.
//
// Conditions are written at once, role counts at most every 5 s. The master writes the same status
// through node's methods; each write reads it first and changes only what is node's. A write that
// fails is tried again until it works, or the node gives the store up (watched_store.h). Loop
// thread only.
#pragma once

#include <string>
#include <vector>

#include "primus/api/conditions.h"
#include "primus/api/object_store.h"
#include "primus/env/event_loop.h"
#include "primus/orchestrate/controller.h"
#include "primus/telemetry/logger.h"

namespace primus::node {

struct RoleLine {
  std::string name;
  orchestrate::Controller::RoleCounts counts;
};

class JobStatusWriter {
 public:
  JobStatusWriter(env::EventLoop& loop, api::ObjectStore& store, telemetry::Logger& log,
                  std::string job);

  // Takes effect at once if it can.
  void SetCondition(api::ConditionChange change);
  // Takes effect within 5 s.
  void SetRoles(std::vector<RoleLine> roles);
  // Writes what is pending now. After an error it stays pending.
  Status Flush();

 private:
  void FlushOrRetry();
  void FlushLater(Duration delay);

  env::EventLoop& loop_;
  api::ObjectStore& store_;
  telemetry::Logger& log_;
  const std::string job_;
  env::Timer timer_;
  std::vector<api::ConditionChange> conditions_;  // to be written, at most one of each type
  std::vector<RoleLine> roles_;
  bool roles_changed_ = false;
  Instant last_write_{};
};

}  // namespace primus::node
