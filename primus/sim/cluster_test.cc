#include "primus/sim/cluster.h"

#include <gtest/gtest.h>

namespace primus::sim {
namespace {

TEST(Cluster, AReplicaThatHangsBeforeItRegistersUsesItsBudgetUp) {
  ClusterOptions options;
  options.executors = 1;
  options.data.window_rows = {10};
  options.restarts_max = 3;
  Cluster cluster(options, [](std::string_view) {});
  ASSERT_TRUE(cluster.Start().ok());
  const auto hang_executors = [&cluster] {
    for (const ProcessId executor : cluster.Processes("executor")) cluster.world().Stop(executor);
    return cluster.Over();
  };
  EXPECT_TRUE(cluster.world().RunUntil(hang_executors, Seconds(300)));
  EXPECT_TRUE(cluster.Ending().starts_with("Failed: executor-0 failed more than 3 times"))
      << cluster.Ending();
  EXPECT_NE(cluster.Ending().find("never registered"), std::string::npos) << cluster.Ending();
}

}  // namespace
}  // namespace primus::sim
