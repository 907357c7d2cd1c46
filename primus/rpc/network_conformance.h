// What every Network must do. An implementation instantiates both suites over one World
// (network_fixture.h):
//
//   INSTANTIATE_TYPED_TEST_SUITE_P(Inproc, NetworkCalls, InprocWorld);
//   INSTANTIATE_TYPED_TEST_SUITE_P(Inproc, NetworkPeers, InprocWorld);
#pragma once

#include "primus/rpc/network_calls_conformance.h"
#include "primus/rpc/network_peers_conformance.h"
