#include "primus/orchestrate/controller.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace primus::orchestrate {
namespace {

using jobspec::RoleKind;

constexpr Duration kTick = Milliseconds(1);

// A runtime that does what the effects say and nothing by itself.
class Fleet {
 public:
  explicit Fleet(std::vector<RolePlan> roles)
      : controller_({.name = "job", .roles = std::move(roles)}) {}

  Controller& controller() { return controller_; }
  Instant now() const { return now_; }
  std::optional<Instant> wake() const { return wake_; }
  void Advance(Duration time) { now_ += time; }

  // Reconciles; the effects as text: "launch a-0/1.1, stop a-0/1.1, kill b-0/1.2".
  std::string Step() {
    std::vector<runtime::ContainerStatus> list;
    for (const auto& [id, status] : containers_) list.push_back(status);
    const Effects effects = controller_.Reconcile(list, now_);
    wake_ = effects.wake;
    std::string text;
    for (const Effect& effect : effects.list) {
      const std::string one = std::visit([this](const auto& e) { return Apply(e); }, effect);
      if (!one.empty()) text += (text.empty() ? "" : ", ") + one;
    }
    return text;
  }

  // The running container of `replica` ends.
  void Exit(const std::string& replica, int code) {
    for (auto& [id, status] : containers_) {
      const bool is_it = id.starts_with("job/" + replica + "/");
      if (!is_it || status.state == runtime::ContainerState::kExited) continue;
      status.state = runtime::ContainerState::kExited;
      status.exit_code = code;
      status.reason = "exited with code " + std::to_string(code);
      return;
    }
    FAIL() << replica << " does not run";
  }

  // Fails `replica` and goes on to its next launch; the time between.
  Duration Crash(const std::string& replica) {
    Exit(replica, 1);
    const Instant before = now_;
    Step();
    if (wake_) now_ = *wake_;
    Step();
    return now_ - before;
  }

  std::string OutcomeReason() const {
    return controller_.outcome() ? controller_.outcome()->reason : "none";
  }

 private:
  static std::string Short(const runtime::ContainerId& id) { return id.substr(4); }
  std::string Apply(const LaunchReplica& e) {
    containers_[e.container] = {.id = e.container};
    return "launch " + Short(e.container);
  }
  std::string Apply(const StopContainer& e) {
    const bool is_graceful = e.mode == runtime::StopMode::kGraceful;
    return (is_graceful ? "stop " : "kill ") + Short(e.container);
  }
  std::string Apply(const ForgetContainer& e) {
    containers_.erase(e.container);
    return {};
  }

  Controller controller_;
  std::map<runtime::ContainerId, runtime::ContainerStatus> containers_;
  Instant now_{Seconds(100)};
  std::optional<Instant> wake_;
};

RolePlan Program(std::string name, uint32_t replicas = 1) {
  return {.name = std::move(name), .kind = RoleKind::kProgram, .replicas = replicas};
}

std::vector<RolePlan> Training() {
  return {{.name = "master", .kind = RoleKind::kMaster},
          {.name = "ps", .kind = RoleKind::kPs},
          {.name = "trainer", .kind = RoleKind::kTrainer}};
}

TEST(ControllerTest, LaunchesEveryReplicaOnceAndCompletesWhenAllSucceed) {
  Fleet fleet({Program("a"), Program("b", 2)});
  EXPECT_EQ(fleet.Step(), "launch a-0/1.1, launch b-0/1.1, launch b-1/1.1");
  EXPECT_EQ(fleet.Step(), "");
  fleet.Exit("a-0", 0);
  fleet.Exit("b-1", 0);
  EXPECT_EQ(fleet.Step(), "");
  EXPECT_EQ(fleet.OutcomeReason(), "none");
  fleet.Exit("b-0", 0);
  EXPECT_EQ(fleet.Step(), "");
  EXPECT_EQ(fleet.OutcomeReason(), "RolesSucceeded");
  EXPECT_TRUE(fleet.controller().is_over());
}

struct SuccessCase {
  const char* name;
  RolePlan role;
  std::vector<std::pair<std::string, int>> exits;
  const char* outcome;
};

class ControllerSuccess : public testing::TestWithParam<SuccessCase> {};

TEST_P(ControllerSuccess, DecidesTheJob) {
  Fleet fleet({GetParam().role});
  fleet.Step();
  for (const auto& [replica, code] : GetParam().exits) {
    fleet.Exit(replica, code);
    fleet.Step();
  }
  EXPECT_EQ(fleet.OutcomeReason(), GetParam().outcome);
}

RolePlan Never(RolePlan role, SuccessRule rule) {
  role.when = RestartWhen::kNever;
  role.success = rule;
  return role;
}

INSTANTIATE_TEST_SUITE_P(
    Rules, ControllerSuccess,
    testing::Values(
        SuccessCase{"AllButOneFails",
                    Never(Program("w", 2), AllSucceed{}),
                    {{"w-0", 0}, {"w-1", 3}},
                    "ReplicaFailed"},
        SuccessCase{"AllOpen", Never(Program("w", 2), AllSucceed{}), {{"w-0", 0}}, "none"},
        SuccessCase{
            "AnyFirst", Never(Program("w", 2), AnySucceeds{}), {{"w-1", 0}}, "RolesSucceeded"},
        SuccessCase{"AnyAfterAFailure",
                    Never(Program("w", 2), AnySucceeds{}),
                    {{"w-0", 1}, {"w-1", 0}},
                    "RolesSucceeded"},
        SuccessCase{"AnyNone",
                    Never(Program("w", 2), AnySucceeds{}),
                    {{"w-0", 1}, {"w-1", 1}},
                    "ReplicaFailed"},
        SuccessCase{"ChosenReplica",
                    Never(Program("w", 2), ReplicaSucceeds{1}),
                    {{"w-1", 0}},
                    "RolesSucceeded"},
        SuccessCase{"OtherReplicaDoesNotCount",
                    Never(Program("w", 2), ReplicaSucceeds{1}),
                    {{"w-0", 9}},
                    "none"},
        SuccessCase{"ChosenReplicaFails",
                    Never(Program("w", 2), ReplicaSucceeds{1}),
                    {{"w-1", 137}},
                    "ReplicaFailed"}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(ControllerTest, SuccessOfOneStopsTheOthers) {
  Fleet fleet({Never(Program("w", 2), AnySucceeds{})});
  fleet.Step();
  fleet.Exit("w-0", 0);
  EXPECT_EQ(fleet.Step(), "stop w-1/1.1");
  EXPECT_FALSE(fleet.controller().is_over());
  EXPECT_EQ(fleet.Step(), "") << "stopped once";
  fleet.Exit("w-1", 143);
  fleet.Step();
  EXPECT_TRUE(fleet.controller().is_over());
  EXPECT_EQ(fleet.controller().outcome()->kind, Outcome::Kind::kCompleted);
}

TEST(ControllerTest, RestartsAfterBackOffThatDoubles) {
  Fleet fleet({Program("w")});
  fleet.Step();
  EXPECT_EQ(fleet.Crash("w-0"), Milliseconds(200));
  EXPECT_EQ(fleet.Crash("w-0"), Milliseconds(400));
  for (int i = 0; i < 4; ++i) fleet.Crash("w-0");
  EXPECT_EQ(fleet.Crash("w-0"), Seconds(10));
  EXPECT_EQ(fleet.controller().Counts()[0].restarts, 7u);
}

TEST(ControllerTest, EleventhFailureInTenMinutesFailsTheJobAndNamesTheReplica) {
  Fleet fleet({Program("w", 2)});
  fleet.Step();
  for (int i = 0; i < 10; ++i) {
    fleet.Crash("w-1");
    EXPECT_EQ(fleet.OutcomeReason(), "none") << i;
  }
  fleet.Exit("w-1", 3);
  EXPECT_EQ(fleet.Step(), "stop w-0/1.1");
  EXPECT_EQ(fleet.OutcomeReason(), "RestartBudgetExceeded");
  EXPECT_EQ(fleet.controller().outcome()->message,
            "w-1 failed more than 10 times within 600 s; the last time: exited with code 3");
  EXPECT_EQ(fleet.controller().outcome()->container, "job/w-1/1.11");
}

TEST(ControllerTest, HealthyTimeClearsTheHistory) {
  Fleet fleet({Program("w")});
  fleet.Step();
  for (int i = 0; i < 10; ++i) fleet.Crash("w-0");
  fleet.Advance(kHealthyTime);
  EXPECT_EQ(fleet.Crash("w-0"), Milliseconds(200));
  EXPECT_EQ(fleet.OutcomeReason(), "none");
}

TEST(ControllerTest, FencedLivesAreReplacedAtOnceAndDoNotCount) {
  Fleet fleet(Training());
  fleet.Step();
  for (int i = 1; i <= 20; ++i) {
    const std::string life = "trainer-0/1." + std::to_string(i);
    fleet.controller().LoseContainer("job/" + life, Loss::kFenced, "superseded");
    fleet.controller().LoseContainer("job/" + life, Loss::kFenced, "superseded");
    EXPECT_EQ(fleet.Step(), "kill " + life);
    fleet.Exit("trainer-0", 137);
    EXPECT_EQ(fleet.Step(), "launch trainer-0/1." + std::to_string(i + 1));
  }
  EXPECT_EQ(fleet.OutcomeReason(), "none");
}

TEST(ControllerTest, SilentLivesCount) {
  Fleet fleet(Training());
  fleet.Step();
  for (int i = 0; i < 11; ++i) {
    const std::string life = "job/ps-0/1." + std::to_string(i + 1);
    fleet.controller().LoseContainer(life, Loss::kSilent, "silent for 10 s");
    fleet.Crash("ps-0");
  }
  EXPECT_EQ(fleet.OutcomeReason(), "RestartBudgetExceeded");
  EXPECT_NE(fleet.controller().outcome()->message.find("silent for 10 s"), std::string::npos);
}

TEST(ControllerTest, LossOfAnEndedLifeIsIgnored) {
  Fleet fleet(Training());
  fleet.Step();
  fleet.Crash("trainer-0");
  fleet.controller().LoseContainer("job/trainer-0/1.1", Loss::kFenced, "late");
  EXPECT_EQ(fleet.Step(), "");
}

TEST(ControllerTest, RoleOfAMasterThatLeavesEarlyIsRestarted) {
  Fleet fleet(Training());
  fleet.Step();
  EXPECT_EQ(fleet.Crash("master-0"), Milliseconds(200));
  fleet.Exit("ps-0", 0);
  fleet.Step();
  EXPECT_EQ(fleet.OutcomeReason(), "none") << "a ps that ends does not complete a job";
  EXPECT_TRUE(fleet.wake().has_value());
}

TEST(ControllerTest, VerdictStopsAllAndLetsTheMasterLeave) {
  Fleet fleet(Training());
  fleet.Step();
  fleet.controller().SetOutcome({.kind = Outcome::Kind::kCompleted, .reason = "DataExhausted"});
  EXPECT_EQ(fleet.Step(), "stop ps-0/1.1, stop trainer-0/1.1");
  fleet.Exit("ps-0", 0);
  fleet.Exit("trainer-0", 143);
  fleet.Step();
  EXPECT_FALSE(fleet.controller().is_over());
  fleet.Exit("master-0", 0);
  EXPECT_EQ(fleet.Step(), "") << "nothing is launched after the end";
  EXPECT_TRUE(fleet.controller().is_over());
}

TEST(ControllerTest, MasterThatDoesNotLeaveIsStopped) {
  Fleet fleet(Training());
  fleet.Step();
  fleet.controller().SetOutcome({.kind = Outcome::Kind::kFailed, .reason = "BadRow"});
  fleet.Step();
  ASSERT_TRUE(fleet.wake().has_value());
  fleet.Advance(*fleet.wake() - fleet.now());
  EXPECT_EQ(fleet.Step(), "stop master-0/1.1");
}

TEST(ControllerTest, FirstOutcomeStands) {
  Fleet fleet(Training());
  fleet.Step();
  fleet.controller().SetOutcome({.kind = Outcome::Kind::kCompleted, .reason = "first"});
  fleet.controller().SetOutcome({.kind = Outcome::Kind::kFailed, .reason = "second"});
  fleet.controller().StopNow();
  EXPECT_EQ(fleet.OutcomeReason(), "first");
}

TEST(ControllerTest, StopOfATrainingJobWaitsForTheMaster) {
  Fleet fleet(Training());
  fleet.Step();
  fleet.controller().Stop();
  EXPECT_EQ(fleet.Step(), "");
  EXPECT_TRUE(fleet.controller().is_stopping());
  fleet.Crash("trainer-0");
  EXPECT_EQ(fleet.controller().Counts()[2].ready, 1u) << "the save point still needs it";
  fleet.controller().SetOutcome({.kind = Outcome::Kind::kSuspended, .reason = "Stopped"});
  EXPECT_EQ(fleet.Step(), "stop ps-0/1.1, stop trainer-0/1.2");
}

TEST(ControllerTest, StopOfProgramsIsGracefulAndASecondOneIsNot) {
  Fleet fleet({Program("w", 2)});
  fleet.Step();
  fleet.controller().Stop();
  EXPECT_EQ(fleet.Step(), "stop w-0/1.1, stop w-1/1.1");
  fleet.controller().StopNow();
  EXPECT_EQ(fleet.Step(), "kill w-0/1.1, kill w-1/1.1");
  EXPECT_EQ(fleet.controller().outcome()->kind, Outcome::Kind::kSuspended);
}

TEST(ControllerTest, FailedLaunchIsAFailure) {
  Fleet fleet({Program("w")});
  fleet.Step();
  fleet.controller().OnLaunchFailed("job/w-0/1.1", UnavailableError("no process is left"),
                                    fleet.now());
  EXPECT_EQ(fleet.Step(), "");
  ASSERT_TRUE(fleet.wake().has_value());
  EXPECT_EQ(*fleet.wake() - fleet.now(), Milliseconds(200));
  EXPECT_EQ(fleet.controller().Lives()[0].status.reason,
            "could not be launched: no process is left");
}

TEST(ControllerTest, ProgramThatIsNotThereFailsTheJobAtOnce) {
  Fleet fleet({Program("w")});
  fleet.Step();
  fleet.controller().OnLaunchFailed("job/w-0/1.1", NotFoundError("cannot run x"), fleet.now());
  EXPECT_EQ(fleet.Step(), "");
  ASSERT_TRUE(fleet.controller().is_over());
  EXPECT_EQ(fleet.controller().outcome()->message, "w-0 could not be launched: cannot run x");
}

TEST(ControllerTest, VanishedContainerIsAFailure) {
  Controller controller({.name = "job", .roles = {Program("w")}});
  const Instant now{Seconds(1)};
  controller.Reconcile({}, now);
  const Effects effects = controller.Reconcile({}, now + kTick);
  EXPECT_TRUE(effects.list.empty());
  EXPECT_EQ(effects.wake, now + kTick + Milliseconds(200));
}

TEST(ControllerTest, AlwaysRestartsAlsoAfterSuccess) {
  RolePlan role = Program("w");
  role.when = RestartWhen::kAlways;
  Fleet fleet({role});
  fleet.Step();
  fleet.Advance(Seconds(1));
  fleet.Exit("w-0", 0);
  EXPECT_EQ(fleet.Step(), "launch w-0/1.2");
}

TEST(ControllerTest, LivesOfAReplicaAreKeptUpToALimit) {
  Fleet fleet(Training());
  fleet.Step();
  for (int i = 1; i <= 40; ++i) {
    fleet.controller().LoseContainer("job/ps-0/1." + std::to_string(i), Loss::kFenced, "rollback");
    fleet.Step();
    fleet.Exit("ps-0", 137);
    fleet.Step();
  }
  const auto lives = fleet.controller().Lives();
  EXPECT_EQ(lives.size(), kLivesKept + 2);
  EXPECT_EQ(lives[kLivesKept].status.id, "job/ps-0/1.41");
}

}  // namespace
}  // namespace primus::orchestrate
