// Which ps has which keys and which stretch of the dense vector, and how both travel: the payloads
// of pull and push (proto/wire/parameters.proto).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "primus/base/result.h"
#include "primus/jobspec/model_plan.h"
#include "primus/train/batch_keys.h"
#include "primus/train/pooling.h"

namespace primus::wire {
class PullRequest;
class PullResponse;
class PushRequest;
}  // namespace primus::wire

namespace primus::trainer {

// By ps and table: places in BatchKeys::unique, ascending.
using KeyRoute = std::vector<std::vector<std::vector<uint32_t>>>;

// What a step pulls into, and pushes from.
struct Parameters {
  train::TableRows rows;
  std::vector<float> dense;
};

// Of one number of ps. Immutable; any thread.
class Routing {
 public:
  Routing(const jobspec::ModelPlan& plan, uint32_t ps_count);

  uint32_t ps_count() const { return static_cast<uint32_t>(dense_.size()); }
  KeyRoute RouteKeys(const train::BatchKeys& keys) const;
  // Zeros of the right shape.
  Parameters MakeRoom(const train::BatchKeys& keys) const;

  // Fills `request` and returns the payload.
  std::string WritePull(const train::BatchKeys& keys, const KeyRoute& route, uint32_t ps,
                        wire::PullRequest* request) const;
  struct PullAnswer {
    const wire::PullResponse& response;
    std::string_view payload;
  };
  // Spreads the answer of `ps`; kDataLoss if it is not of the right size.
  Status ReadPull(const KeyRoute& route, uint32_t ps, const PullAnswer& answer,
                  Parameters* into) const;

  struct PushContent {
    const train::BatchKeys& keys;
    const KeyRoute& route;
    const train::TableRows& gradients;
    const std::vector<float>& dense_gradient;
  };
  std::string WritePush(const PushContent& content, uint32_t ps, wire::PushRequest* request) const;

 private:
  struct Stretch {
    uint64_t begin = 0;
    uint64_t size = 0;
  };
  uint64_t DenseValuesOf(uint32_t ps) const;

  std::vector<uint32_t> widths_;  // by table
  uint64_t dense_values_ = 0;
  std::vector<std::vector<Stretch>> dense_;  // by ps, ascending
};

}  // namespace primus::trainer
