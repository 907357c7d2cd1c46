// What every Runtime must do. An implementation instantiates the suite:
//
//   INSTANTIATE_TYPED_TEST_SUITE_P(Local, RuntimeConformance, LocalWorld);
//
// A World is default constructible and has
//   Runtime& runtime();
//   Status Launch(const ContainerId&, std::vector<std::string> command);
//   bool RunUntil(const std::function<bool()>& holds);  runs the loop; false: it will never hold
//   std::vector<std::string> Exits(int code);           a command that ends by itself
//   std::vector<std::string> Stays();                   one that ends by SIGTERM only
//   std::vector<std::string> Ignores();                 one that ignores SIGTERM
//   bool IsReady(const ContainerId&);                   one of the last two is up to be stopped
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "primus/runtime/runtime.h"

namespace primus::runtime {

template <class World>
class RuntimeConformance : public testing::Test {
 protected:
  Status Launch(const ContainerId& id, std::vector<std::string> command) {
    return world_.Launch(id, std::move(command));
  }
  std::optional<ContainerStatus> Find(const ContainerId& id) {
    for (const ContainerStatus& status : world_.runtime().List()) {
      if (status.id == id) return status;
    }
    return std::nullopt;
  }
  bool AwaitExit(const ContainerId& id) {
    return world_.RunUntil([&] {
      const auto status = Find(id);
      return status && status->state == ContainerState::kExited;
    });
  }
  bool AwaitReady(const ContainerId& id) {
    return world_.RunUntil([&] { return world_.IsReady(id); });
  }

  World world_;
};

TYPED_TEST_SUITE_P(RuntimeConformance);

TYPED_TEST_P(RuntimeConformance, ExitCodeAndReasonAreKept) {
  ASSERT_TRUE(this->Launch("job/a-0/1", this->world_.Exits(0)).ok());
  ASSERT_TRUE(this->Launch("job/a-1/1", this->world_.Exits(3)).ok());
  ASSERT_TRUE(this->AwaitExit("job/a-0/1"));
  ASSERT_TRUE(this->AwaitExit("job/a-1/1"));
  EXPECT_EQ(this->Find("job/a-0/1")->exit_code, 0);
  EXPECT_EQ(this->Find("job/a-1/1")->exit_code, 3);
  EXPECT_EQ(this->Find("job/a-1/1")->reason, "exited with code 3");
}

TYPED_TEST_P(RuntimeConformance, RunningContainerIsListed) {
  ASSERT_TRUE(this->Launch("job/a-0/1", this->world_.Stays()).ok());
  ASSERT_TRUE(this->Find("job/a-0/1").has_value());
  EXPECT_EQ(this->Find("job/a-0/1")->state, ContainerState::kRunning);
}

TYPED_TEST_P(RuntimeConformance, IdIsNeverUsedAgain) {
  ASSERT_TRUE(this->Launch("job/a-0/1", this->world_.Exits(0)).ok());
  EXPECT_EQ(this->Launch("job/a-0/1", this->world_.Exits(0)).code(), StatusCode::kAlreadyExists);
  ASSERT_TRUE(this->AwaitExit("job/a-0/1"));
  this->world_.runtime().Forget("job/a-0/1");
  EXPECT_EQ(this->Launch("job/a-0/1", this->world_.Exits(0)).code(), StatusCode::kAlreadyExists);
}

TYPED_TEST_P(RuntimeConformance, GracefulStopIsSigterm) {
  ASSERT_TRUE(this->Launch("job/a-0/1", this->world_.Stays()).ok());
  ASSERT_TRUE(this->AwaitReady("job/a-0/1"));
  this->world_.runtime().Stop("job/a-0/1", StopMode::kGraceful);
  this->world_.runtime().Stop("job/a-0/1", StopMode::kGraceful);
  ASSERT_TRUE(this->AwaitExit("job/a-0/1"));
  EXPECT_EQ(this->Find("job/a-0/1")->exit_code, 143);
  EXPECT_EQ(this->Find("job/a-0/1")->reason, "killed by signal 15 (SIGTERM)");
}

TYPED_TEST_P(RuntimeConformance, GraceTimeEndsInSigkill) {
  ASSERT_TRUE(this->Launch("job/a-0/1", this->world_.Ignores()).ok());
  ASSERT_TRUE(this->AwaitReady("job/a-0/1"));
  this->world_.runtime().Stop("job/a-0/1", StopMode::kGraceful);
  ASSERT_TRUE(this->AwaitExit("job/a-0/1"));
  EXPECT_EQ(this->Find("job/a-0/1")->exit_code, 137);
}

TYPED_TEST_P(RuntimeConformance, ImmediateStopIsSigkill) {
  ASSERT_TRUE(this->Launch("job/a-0/1", this->world_.Ignores()).ok());
  this->world_.runtime().Stop("job/a-0/1", StopMode::kImmediate);
  ASSERT_TRUE(this->AwaitExit("job/a-0/1"));
  EXPECT_EQ(this->Find("job/a-0/1")->exit_code, 137);
  EXPECT_EQ(this->Find("job/a-0/1")->reason, "killed by signal 9 (SIGKILL)");
}

TYPED_TEST_P(RuntimeConformance, StopOfUnknownAndEndedContainersIsIgnored) {
  this->world_.runtime().Stop("job/none-0/1", StopMode::kImmediate);
  ASSERT_TRUE(this->Launch("job/a-0/1", this->world_.Exits(0)).ok());
  ASSERT_TRUE(this->AwaitExit("job/a-0/1"));
  this->world_.runtime().Stop("job/a-0/1", StopMode::kGraceful);
  EXPECT_EQ(this->Find("job/a-0/1")->exit_code, 0);
}

TYPED_TEST_P(RuntimeConformance, OnlyExitedContainersAreForgotten) {
  ASSERT_TRUE(this->Launch("job/a-0/1", this->world_.Stays()).ok());
  this->world_.runtime().Forget("job/a-0/1");
  EXPECT_TRUE(this->Find("job/a-0/1").has_value());
  this->world_.runtime().Stop("job/a-0/1", StopMode::kImmediate);
  ASSERT_TRUE(this->AwaitExit("job/a-0/1"));
  this->world_.runtime().Forget("job/a-0/1");
  EXPECT_FALSE(this->Find("job/a-0/1").has_value());
}

TYPED_TEST_P(RuntimeConformance, ObserverHearsOfLaunchesAndExits) {
  int calls = 0;
  this->world_.runtime().OnChange([&calls] { ++calls; });
  ASSERT_TRUE(this->Launch("job/a-0/1", this->world_.Stays()).ok());
  ASSERT_TRUE(this->world_.RunUntil([&] { return calls > 0; }));
  const int after_launch = calls;
  this->world_.runtime().Stop("job/a-0/1", StopMode::kImmediate);
  EXPECT_TRUE(this->world_.RunUntil([&] { return calls > after_launch; }));
}

REGISTER_TYPED_TEST_SUITE_P(RuntimeConformance, ExitCodeAndReasonAreKept, RunningContainerIsListed,
                            IdIsNeverUsedAgain, GracefulStopIsSigterm, GraceTimeEndsInSigkill,
                            ImmediateStopIsSigkill, StopOfUnknownAndEndedContainersIsIgnored,
                            OnlyExitedContainersAreForgotten, ObserverHearsOfLaunchesAndExits);

}  // namespace primus::runtime
