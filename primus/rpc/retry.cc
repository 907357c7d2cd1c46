#include "primus/rpc/retry.h"

#include <algorithm>

#include "primus/base/seeded.h"

namespace primus::rpc {
namespace {

constexpr RetryRule kRules[] = {
    // The peer is not there, went away in the middle, or does not serve yet.
    {.code = StatusCode::kUnavailable, .first = Milliseconds(20), .most = Seconds(1)},
    // The request or its answer was lost, or the peer is stopped or slow.
    {.code = StatusCode::kDeadlineExceeded, .first = Milliseconds(20), .most = Seconds(1)},
};

}  // namespace

std::span<const RetryRule> RetryTable() { return kRules; }

const RetryRule* FindRetryRule(StatusCode code) {
  const auto* rule = std::ranges::find(kRules, code, &RetryRule::code);
  return rule == std::end(kRules) ? nullptr : rule;
}

Duration BackOff(const RetryRule& rule, int tries, env::Random& random) {
  Duration longest = rule.first;
  for (int i = 1; i < tries && longest < rule.most; ++i) longest *= 2;
  longest = std::min(longest, rule.most);
  const double part = 0.5 + 0.5 * ToUnit(random.Next());
  return std::chrono::duration_cast<Duration>(longest * part);
}

}  // namespace primus::rpc
