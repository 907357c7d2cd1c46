#include "primus/node/job_status_writer.h"

#include <algorithm>
#include <utility>

#include "proto/wire/node.pb.h"

namespace primus::node {
namespace {

constexpr Duration kRolesEvery = Seconds(5);
constexpr Duration kRetryAfter = Seconds(1);

bool IsSame(const RoleLine& a, const RoleLine& b) {
  return a.name == b.name && a.counts == b.counts;
}

void SetRoleStatus(const std::vector<RoleLine>& roles, wire::JobStatus* status) {
  status->clear_roles();
  for (const RoleLine& role : roles) {
    wire::RoleStatus* line = status->add_roles();
    line->set_name(role.name);
    line->set_desired(role.counts.desired);
    line->set_ready(role.counts.ready);
    line->set_succeeded(role.counts.succeeded);
    line->set_failed(role.counts.failed);
    line->set_restarts(role.counts.restarts);
  }
}

}  // namespace

JobStatusWriter::JobStatusWriter(env::EventLoop& loop, api::ObjectStore& store,
                                 telemetry::Logger& log, std::string job)
    : loop_(loop), store_(store), log_(log), job_(std::move(job)), timer_(loop) {}

void JobStatusWriter::SetCondition(api::ConditionChange change) {
  std::erase_if(conditions_, [&](const auto& pending) { return pending.type == change.type; });
  conditions_.push_back(std::move(change));
  FlushOrRetry();
}

void JobStatusWriter::SetRoles(std::vector<RoleLine> roles) {
  const bool same = std::equal(roles.begin(), roles.end(), roles_.begin(), roles_.end(), IsSame);
  if (same) return;
  roles_ = std::move(roles);
  roles_changed_ = true;
  if (timer_.pending()) return;
  const Duration since = loop_.Get().monotonic - last_write_;
  FlushLater(std::max<Duration>(kRolesEvery - since, Duration(0)));
}

void JobStatusWriter::FlushLater(Duration delay) {
  timer_.Set(delay, [this] { FlushOrRetry(); });
}

void JobStatusWriter::FlushOrRetry() {
  const Status written = Flush();
  if (written.ok()) return;
  log_.Error("cannot write the status of the job", {{"job", job_}, {"error", written}});
  FlushLater(kRetryAfter);
}

Status JobStatusWriter::Flush() {
  if (conditions_.empty() && !roles_changed_) return OkStatus();
  timer_.Cancel();
  PRIMUS_ASSIGN(api::Object object, store_.Get(api::kJobKind, job_));
  wire::JobStatus status;
  if (!status.ParseFromString(object.status)) {
    return DataLossError("the status of " + job_ + " in the object store cannot be read");
  }
  const Now now = loop_.Get();
  for (const api::ConditionChange& change : conditions_) {
    api::SetCondition(&status, change, now.wall, object.generation);
  }
  if (!roles_.empty()) SetRoleStatus(roles_, &status);
  status.set_observed_generation(object.generation);
  object.status = status.SerializeAsString();
  PRIMUS_TRY(store_.UpdateStatus(object).status());
  conditions_.clear();
  roles_changed_ = false;
  last_write_ = now.monotonic;
  return OkStatus();
}

}  // namespace primus::node
