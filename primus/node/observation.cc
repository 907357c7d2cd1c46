#include "primus/node/observation.h"

#include <algorithm>
#include <utility>

#include "proto/wire/node.pb.h"

namespace primus::node {
namespace {

// Well below the silence after which a master counts as dead: each answer asks for the next word.
constexpr Duration kObserveTime = Seconds(2);

bool IsSame(const orchestrate::Controller::Life& a, const orchestrate::Controller::Life& b) {
  return a.status.id == b.status.id && a.status.state == b.status.state;
}

}  // namespace

Observation::Observation(env::EventLoop& loop) : timer_(loop) {}
Observation::~Observation() = default;

void Observation::Set(std::vector<orchestrate::Controller::Life> lives, Wish wish) {
  const bool same =
      wish == wish_ && std::equal(lives.begin(), lives.end(), lives_.begin(), lives_.end(), IsSame);
  lives_ = std::move(lives);
  wish_ = wish;
  if (same) return;
  ++version_;
  AnswerWaiting();
}

void Observation::Ask(uint64_t version, Reply reply) {
  AnswerWaiting();
  if (version != version_) return Answer(reply);
  waiting_ = std::move(reply);
  timer_.Set(kObserveTime, [this] { AnswerWaiting(); });
}

void Observation::AnswerWaiting() {
  timer_.Cancel();
  if (const std::optional<Reply> reply = std::exchange(waiting_, std::nullopt)) Answer(*reply);
}

void Observation::Answer(const Reply& reply) const {
  wire::ObserveResponse response;
  response.set_version(version_);
  response.set_stop(wish_ == Wish::kStop);
  for (const orchestrate::Controller::Life& life : lives_) {
    wire::Container* container = response.add_containers();
    container->set_id(life.status.id);
    container->mutable_replica()->set_role(life.replica.role);
    container->mutable_replica()->set_index(life.replica.index);
    container->set_running(life.status.state == runtime::ContainerState::kRunning);
    container->set_exit_code(life.status.exit_code);
    container->set_reason(life.status.reason);
  }
  reply(response);
}

}  // namespace primus::node
