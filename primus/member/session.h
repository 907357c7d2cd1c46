// A replica's half of membership: registers, beats, and holds the newest directive of its master.
//
// Executor, ps and trainer own one each. The session decides which directive is newest (ordered by
// attempt and sequence; an older one is answered and otherwise ignored), remembers its view and
// members, and checks the stamp of data-plane messages against them. What a directive means for
// the role is the role's: `on_directive` is called after each newer one, on the loop.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "primus/base/ids.h"
#include "primus/base/result.h"
#include "primus/env/environment.h"
#include "primus/rpc/client.h"
#include "primus/rpc/server.h"

namespace primus::wire {
class Directive;
class ReplicaStatus;
}  // namespace primus::wire

namespace primus::telemetry {
class Logger;
}

namespace primus::member {

enum class RoleKind { kPs = 1, kExecutor = 2, kTrainer = 3 };

struct SessionOptions {
  ReplicaId replica;
  RoleKind kind = RoleKind::kExecutor;
  std::string container;  // id of this life's container
  rpc::Address master;
  rpc::Address own;          // where Steer is served
  std::string own_handover;  // trainers
};

class Session {
 public:
  struct Callbacks {
    // A newer directive is in force; read it from directive().
    std::function<void()> on_directive;
    // Adds the role's own part to an otherwise complete status.
    std::function<void(wire::ReplicaStatus*)> fill_status;
    // The replica must end: OK after LEAVE, kPermissionDenied when it is no member any more.
    std::function<void(Status)> on_end;
  };

  // Registers Steer on `server`; the caller listens. Reports start with Start().
  Session(const env::Environment& environment, rpc::Network& network, rpc::Server& server,
          telemetry::Logger& log, SessionOptions options, Callbacks callbacks);
  ~Session();

  void Start();
  // Sends a report as soon as possible (several requests in one turn of the loop are one report;
  // while one is under way the next follows it).
  void ReportSoon();
  // The replica cannot go on: reported until the master ends the job.
  void Fail(const Status& error);

  const wire::Directive& directive() const;
  Incarnation incarnation() const;  // 0 until registered
  Stamp stamp() const;              // of the directive in force
  // A master was heard within the lease time: new work may begin.
  bool lease_valid() const;

  // The check of every data-plane message: OK only in RUN, under exactly the view in force and a
  // cut not below the newest one past HOLD, from an incarnation in it.
  // kFailedPrecondition: another view or an old cut; kUnavailable: not in RUN, or the sender is
  // ahead of us; kPermissionDenied: `sender` is not in the view.
  Status Admit(const Stamp& message, Incarnation sender) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace primus::member
