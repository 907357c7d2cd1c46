#include "primus/member/roster.h"

#include <gtest/gtest.h>

namespace primus::member {
namespace {

Seat Trainer(uint32_t index, const std::string& container, Incarnation incarnation = 0) {
  return {.replica = {"trainer", index},
          .kind = RoleKind::kTrainer,
          .incarnation = incarnation,
          .container = container,
          .rpc_address = "",
          .handover_address = "",
          .last_heard = {}};
}
constexpr Instant At(int64_t seconds) { return Instant(Seconds(seconds)); }

TEST(Roster, GivesOneIncarnationToALifeHoweverOftenItRegisters) {
  Roster roster(3, Seconds(10));
  const Incarnation first = roster.Hear(Trainer(0, "j/trainer-0/1.1"), At(0))->incarnation;
  EXPECT_EQ(first >> 32, 3U);
  EXPECT_EQ(roster.Hear(Trainer(0, "j/trainer-0/1.1"), At(1))->incarnation, first);
  EXPECT_NE(roster.Hear(Trainer(1, "j/trainer-1/1.1"), At(1))->incarnation, first);
}

TEST(Roster, AMemberOfAnEarlierMasterKeepsItsIncarnation) {
  Roster roster(3, Seconds(10));
  EXPECT_EQ(roster.Hear(Trainer(0, "j/trainer-0/1.1", 77), At(0))->incarnation, 77U);
}

TEST(Roster, FindsSilenceAndRefusesWhoWasLost) {
  Roster roster(1, Seconds(10));
  ASSERT_TRUE(roster.Hear(Trainer(0, "j/trainer-0/1.1"), At(0)).ok());
  roster.CheckSilence(At(9));
  EXPECT_TRUE(roster.TakeLosses().empty());
  roster.CheckSilence(At(10));
  const auto losses = roster.TakeLosses();
  ASSERT_EQ(losses.size(), 1U);
  EXPECT_EQ(losses[0].kind, LossKind::kSilent);
  EXPECT_EQ(losses[0].reason, "silent for 10 s");
  EXPECT_EQ(roster.Hear(Trainer(0, "j/trainer-0/1.1"), At(11)).status().code(),
            StatusCode::kPermissionDenied);
  EXPECT_TRUE(roster.Hear(Trainer(0, "j/trainer-0/1.2"), At(11)).ok());
}

TEST(Roster, ANewerLifePushesAnOlderOneOutAndNotTheOtherWay) {
  Roster roster(1, Seconds(10));
  ASSERT_TRUE(roster.Hear(Trainer(0, "j/trainer-0/1.9"), At(0)).ok());
  ASSERT_TRUE(roster.Hear(Trainer(0, "j/trainer-0/1.10"), At(0)).ok());
  const auto losses = roster.TakeLosses();
  ASSERT_EQ(losses.size(), 1U);
  EXPECT_EQ(losses[0].kind, LossKind::kFenced);
  EXPECT_FALSE(roster.Hear(Trainer(0, "j/trainer-0/1.9"), At(0)).ok());
  EXPECT_FALSE(roster.Hear(Trainer(0, "j/trainer-0/1.8"), At(0)).ok());
  EXPECT_TRUE(roster.TakeLosses().empty());
  roster.ContainerLaunched({"trainer", 0}, "j/trainer-0/1.9");
  EXPECT_TRUE(roster.TakeLosses().empty());
  roster.ContainerLaunched({"trainer", 0}, "j/trainer-0/1.11");
  EXPECT_EQ(roster.TakeLosses().size(), 1U);
}

TEST(Roster, ALaterRunIsNewerWhateverItsLaunch) {
  EXPECT_LT(LaunchOf("j/ps-0/1.9"), LaunchOf("j/ps-0/1.10"));
  EXPECT_LT(LaunchOf("j/ps-0/1.10"), LaunchOf("j/ps-0/2.1"));
  EXPECT_EQ(LaunchOf("j/ps-0/x"), 0U);
}

TEST(Roster, ALifeThatGoesByAnotherIncarnationIsLost) {
  Roster roster(2, Seconds(10));
  const Incarnation ours = roster.Hear(Trainer(0, "j/trainer-0/1.1"), At(0))->incarnation;
  EXPECT_TRUE(roster.Hear(Trainer(0, "j/trainer-0/1.1", ours), At(0)).ok());
  EXPECT_FALSE(roster.Hear(Trainer(0, "j/trainer-0/1.1", ours + 7), At(0)).ok());
  EXPECT_EQ(roster.TakeLosses().size(), 1U);
}

TEST(Roster, ALateWordOfAGoneContainerIsRefused) {
  Roster roster(1, Seconds(10));
  roster.ContainerGone("j/trainer-0/1.1", "exited with code 1");
  EXPECT_FALSE(roster.Hear(Trainer(0, "j/trainer-0/1.1"), At(0)).ok());
}

}  // namespace
}  // namespace primus::member
