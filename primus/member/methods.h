// The methods between master, executors, trainers and ps. Messages: proto/wire; rules:
// docs/protocol.md.
#pragma once

#include "primus/rpc/method.h"

namespace primus::wire {
class LeaseRequest;
class LeaseResponse;
class PullRequest;
class PullResponse;
class PushRequest;
class PushResponse;
class ReportRequest;
class ReportResponse;
class SteerRequest;
class SteerResponse;
}  // namespace primus::wire

namespace primus::member {

// Served by the master.
inline constexpr rpc::Method<wire::ReportRequest, wire::ReportResponse> kReport{
    .name = "primus.Master/Report", .timeout = Seconds(2)};
inline constexpr rpc::Method<wire::LeaseRequest, wire::LeaseResponse> kLease{
    .name = "primus.Master/Lease", .timeout = Seconds(5)};

// Served by every replica.
inline constexpr rpc::Method<wire::SteerRequest, wire::SteerResponse> kSteer{
    .name = "primus.Replica/Steer", .timeout = Seconds(2)};

// Served by ps.
inline constexpr rpc::Method<wire::PullRequest, wire::PullResponse> kPull{.name = "primus.Ps/Pull",
                                                                          .timeout = Seconds(5)};
inline constexpr rpc::Method<wire::PushRequest, wire::PushResponse> kPush{.name = "primus.Ps/Push",
                                                                          .timeout = Seconds(5)};

}  // namespace primus::member
