// The one table of what is tried again, and how long to wait before.
#pragma once

#include <span>

#include "primus/base/status.h"
#include "primus/base/time.h"
#include "primus/env/random.h"

namespace primus::rpc {

struct RetryRule {
  StatusCode code;
  Duration first;  // the longest wait before the second try; doubles with each further one
  Duration most;   // up to this
};

// Codes that are not listed end a call at once.
std::span<const RetryRule> RetryTable();

// The rule of `code`, or null.
const RetryRule* FindRetryRule(StatusCode code);

// A wait between half of the longest and the longest, so that many clients do not come at once.
// `tries` have failed so far, at least 1.
Duration BackOff(const RetryRule& rule, int tries, env::Random& random);

}  // namespace primus::rpc
