// Every metric of Primus: name, unit, what it says. Names are Prometheus': `primus_` first, the
// unit and, for a counter, `_total` last.
#pragma once

#include "primus/telemetry/metrics.h"

namespace primus::telemetry {

inline constexpr CounterSpec kRpcReceivedFrames{
    .name = "primus_rpc_received_frames_total",
    .unit = "frames",
    .text = "Requests and answers that arrived over the network."};
inline constexpr CounterSpec kRpcReceivedBytes{
    .name = "primus_rpc_received_bytes_total",
    .unit = "bytes",
    .text = "Bytes of the requests and answers that arrived, messages and payloads."};
inline constexpr CounterSpec kRpcRefusedFrames{
    .name = "primus_rpc_refused_frames_total",
    .unit = "frames",
    .text = "Frames that were malformed, too large or of another protocol or build."};
inline constexpr GaugeSpec kRpcOpenCalls{
    .name = "primus_rpc_open_calls",
    .unit = "calls",
    .text = "Calls that this process has made and that have not ended."};

}  // namespace primus::telemetry
