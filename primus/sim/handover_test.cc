#include "primus/sim/handover.h"

#include <gtest/gtest.h>

#include "primus/handover/handover_conformance.h"

namespace primus::handover {
namespace {

class SimHandoverWorld {
 public:
  Handover& writing() { return *writing_; }
  Handover& reading() { return *reading_; }
  std::string address() const { return "sim:ring"; }
  bool RunUntil(const std::function<bool()>& holds) {
    return holds() || world_.RunUntil(holds, Seconds(60));
  }

 private:
  sim::World world_{1};
  sim::Channels channels_{world_};
  std::unique_ptr<Handover> writing_ = channels_.HandoverOf(world_.Spawn("writer"));
  std::unique_ptr<Handover> reading_ = channels_.HandoverOf(world_.Spawn("reader"));
};

INSTANTIATE_TYPED_TEST_SUITE_P(Sim, HandoverConformance, SimHandoverWorld);

}  // namespace
}  // namespace primus::handover
