// How keys, rows and gradients lie in the payloads of pull and push (proto/wire/parameters.proto):
// views into the payload, every size checked. Pure.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "primus/base/result.h"
#include "primus/embedding/shard_store.h"
#include "primus/jobspec/model_plan.h"

namespace primus::wire {
class PullRequest;
class PushRequest;
}  // namespace primus::wire

namespace primus::ps {

struct PullLayout {
  std::vector<embedding::TableKeys> tables;
  uint64_t row_values = 0;  // floats of the answer, without the dense ones
};

struct PushLayout {
  std::vector<embedding::TableGradients> tables;
  std::span<const float> dense;
};

// The views live as long as `payload`. kInvalidArgument when it is not what the request says.
Result<PullLayout> ReadPull(const jobspec::ModelPlan& plan, const wire::PullRequest& request,
                            const std::string& payload);
Result<PushLayout> ReadPush(const jobspec::ModelPlan& plan, const wire::PushRequest& request,
                            const std::string& payload);

}  // namespace primus::ps
