#include "primus/sim/witness.h"

#include <algorithm>
#include <string>

#include "primus/member/methods.h"
#include "primus/member/wire_stamp.h"

#include "proto/wire/control.pb.h"
#include "proto/wire/parameters.pb.h"

namespace primus::sim {
namespace {

template <class Message>
Message Parse(const rpc::Frame& frame) {
  Message message;
  message.ParseFromString(frame.message);
  return message;
}

}  // namespace

void Witness::OnSent(const Sent& sent) {
  const bool answered = sent.answer != nullptr && sent.answer->ok();
  if (sent.answer != nullptr && !answered) return;
  if (sent.method == member::kReport.name) {
    if (!answered) return OnStatus(sent.from, Parse<wire::ReportRequest>(sent.request).status());
    OnDirective(sent.from, Parse<wire::ReportResponse>(**sent.answer).directive());
  } else if (sent.method == member::kSteer.name) {
    if (answered) return OnStatus(sent.from, Parse<wire::SteerResponse>(**sent.answer).status());
    OnDirective(sent.from, Parse<wire::SteerRequest>(sent.request).directive());
  } else if (sent.method == member::kLease.name && answered) {
    leases_.OnAnswer(Parse<wire::LeaseRequest>(sent.request),
                     Parse<wire::LeaseResponse>(**sent.answer));
  } else if (sent.method == member::kPush.name && answered) {
    pushes_.OnAcknowledged(sent.from, Parse<wire::PushRequest>(sent.request));
  }
}

void Witness::OnStatus(ProcessId process, const wire::ReplicaStatus& status) {
  Replica& replica = replicas_[process];
  const std::pair<uint64_t, uint64_t> directive(status.stamp().attempt(), status.sequence());
  const Stamp stamp = member::ToStamp(status.stamp());
  const Stamp held = member::ToStamp(status.held_stamp());
  const std::string who = status.container() + " went back from ";
  if (directive < replica.directive) verdict_.Violated(who + "a newer directive");
  if (stamp < replica.stamp) verdict_.Violated(who + ToString(replica.stamp));
  if (held < replica.held) verdict_.Violated(who + "what it held: " + ToString(replica.held));
  if (replica.incarnation != 0 && status.incarnation() != replica.incarnation) {
    verdict_.Violated(status.container() + " changed its incarnation");
  }
  replica = {directive, stamp, held, status.incarnation()};
  watch_.OnStatus(status);
  leases_.OnStatus(status);
  pushes_.OnStatus(process, status);
}

void Witness::OnDirective(ProcessId master, const wire::Directive& directive) {
  const Stamp stamp = member::ToStamp(directive.stamp());
  if (directive.mode() != wire::ATTACH) {
    Stamp& newest = ordered_[stamp.attempt];
    if (stamp < newest) {
      verdict_.Violated("attempt " + std::to_string(stamp.attempt) + " went back from " +
                        ToString(newest) + " to " + ToString(stamp));
    }
    newest = stamp;
    if (directive.mode() != wire::LEAVE) records_.OnAttemptGoesOn(stamp.attempt);
    if (!records_.IsSaved(directive.saved_cut())) {
      verdict_.Violated("a directive calls cut " + std::to_string(directive.saved_cut()) +
                        " saved, which no save point holds");
    }
  }
  watch_.OnDirective(master, directive);
  leases_.OnDirective(directive);
}

}  // namespace primus::sim
