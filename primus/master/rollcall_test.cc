#include "primus/master/rollcall.h"

#include <gtest/gtest.h>

#include "proto/wire/control.pb.h"

namespace primus::master {
namespace {

constexpr uint64_t kAttempt = 2;
constexpr Instant kNow{Seconds(100)};

// What ps-0 says of itself; the test fills in the rest.
wire::ReplicaStatus FromPs(Incarnation incarnation, uint64_t attempt, uint64_t sequence) {
  wire::ReplicaStatus status;
  status.mutable_replica()->set_role("ps");
  status.set_kind(wire::PS);
  status.set_incarnation(incarnation);
  status.set_container("job/ps-0/1.1");
  status.set_rpc_address("test:ps-0");
  status.mutable_stamp()->set_attempt(attempt);
  status.set_sequence(sequence);
  return status;
}

wire::Directive Wanted(wire::Mode mode, uint64_t acked_increment = 0) {
  wire::Directive directive;
  directive.mutable_stamp()->set_attempt(kAttempt);
  directive.set_mode(mode);
  directive.set_acked_increment(acked_increment);
  return directive;
}

// ps-0 has registered.
class RollcallTest : public testing::Test {
 protected:
  RollcallTest() : ps_(*rollcall_.Hear(FromPs(0, 0, 0), kNow)) {}

  void Answer(uint64_t sequence, uint64_t attempt = kAttempt) {
    ASSERT_TRUE(rollcall_.Hear(FromPs(ps_, attempt, sequence), kNow).ok());
  }
  uint64_t sequence() const { return rollcall_.Get(ps_).directive->sequence(); }

  Rollcall rollcall_{kAttempt, Seconds(10)};
  Incarnation ps_;
};

TEST_F(RollcallTest, AMemberWithoutAWordUnderThisAttemptHasNoStatus) {
  EXPECT_EQ(rollcall_.Incarnations(member::RoleKind::kPs), std::set<Incarnation>{ps_});
  EXPECT_EQ(rollcall_.Get(ps_).status, nullptr);
  EXPECT_EQ(rollcall_.Get(ps_).directive, nullptr);
  EXPECT_FALSE(rollcall_.AllAcknowledged());
  EXPECT_TRUE(rollcall_.Members(member::RoleKind::kTrainer).empty());
}

TEST_F(RollcallTest, TheSameContainerRegistersUnderTheSameIncarnation) {
  EXPECT_EQ(*rollcall_.Hear(FromPs(0, 0, 0), kNow), ps_);
}

TEST_F(RollcallTest, WhatIsWantedIsSteeredOnce) {
  rollcall_.Instruct(ps_, Wanted(wire::FENCED));
  const std::vector<Steer> steers = rollcall_.TakeSteers();
  ASSERT_EQ(steers.size(), 1U);
  EXPECT_EQ(steers[0].incarnation, ps_);
  EXPECT_EQ(steers[0].address, "test:ps-0");
  EXPECT_EQ(rollcall_.Get(ps_).directive->incarnation(), ps_);
  const uint64_t first = sequence();
  rollcall_.Instruct(ps_, Wanted(wire::FENCED));
  EXPECT_EQ(sequence(), first);
  EXPECT_TRUE(rollcall_.TakeSteers().empty());
  rollcall_.Instruct(ps_, Wanted(wire::RUN));
  EXPECT_GT(sequence(), first);
  EXPECT_EQ(rollcall_.TakeSteers().size(), 1U);
}

TEST_F(RollcallTest, AMereAcknowledgementIsNewerButInNoHurry) {
  rollcall_.Instruct(ps_, Wanted(wire::RUN));
  rollcall_.TakeSteers();
  const uint64_t first = sequence();
  rollcall_.Instruct(ps_, Wanted(wire::RUN, 3));
  EXPECT_GT(sequence(), first);
  EXPECT_EQ(rollcall_.Get(ps_).directive->acked_increment(), 3U);
  EXPECT_TRUE(rollcall_.TakeSteers().empty()) << "it goes out with the answer to the next report";
}

TEST_F(RollcallTest, AnAnswerAcknowledgesItsDirectiveAndThoseBefore) {
  rollcall_.Instruct(ps_, Wanted(wire::FENCED));
  rollcall_.TakeSteers();
  const uint64_t first = sequence();
  rollcall_.Instruct(ps_, Wanted(wire::RUN));
  rollcall_.TakeSteers();
  Answer(first);
  EXPECT_FALSE(rollcall_.AllAcknowledged());
  Answer(sequence());
  EXPECT_TRUE(rollcall_.AllAcknowledged());
}

TEST_F(RollcallTest, ADirectiveThatIsNotSentCannotBeAcknowledged) {
  rollcall_.Instruct(ps_, Wanted(wire::FENCED));
  Answer(sequence());
  EXPECT_FALSE(rollcall_.AllAcknowledged());
  rollcall_.TakeSteers();
  EXPECT_TRUE(rollcall_.AllAcknowledged());
}

TEST_F(RollcallTest, AnAnswerOfAnotherAttemptIsNone) {
  rollcall_.Instruct(ps_, Wanted(wire::ATTACH));
  rollcall_.TakeSteers();
  Answer(1000, kAttempt - 1);
  EXPECT_EQ(rollcall_.Get(ps_).status, nullptr);
  EXPECT_FALSE(rollcall_.AllAcknowledged());
}

TEST_F(RollcallTest, AnOlderAnswerDoesNotTakeTheNewestBack) {
  rollcall_.Instruct(ps_, Wanted(wire::FENCED));
  rollcall_.TakeSteers();
  Answer(sequence());
  Answer(sequence() - 1);
  EXPECT_EQ(rollcall_.Get(ps_).status->sequence(), sequence());
  EXPECT_TRUE(rollcall_.AllAcknowledged());
}

TEST_F(RollcallTest, AWordOfALaterAttemptMeansThatWeAreSuperseded) {
  EXPECT_EQ(rollcall_.Hear(FromPs(ps_, kAttempt + 1, 1), kNow).status().code(),
            StatusCode::kAborted);
}

TEST_F(RollcallTest, WhoIsLostIsForgottenAndRefused) {
  rollcall_.Instruct(ps_, Wanted(wire::RUN));
  rollcall_.roster().CheckSilence(kNow + Seconds(10));
  const std::vector<member::Loss> losses = rollcall_.TakeLosses();
  ASSERT_EQ(losses.size(), 1U);
  EXPECT_EQ(losses[0].seat.incarnation, ps_);
  EXPECT_TRUE(rollcall_.Members().empty());
  EXPECT_TRUE(rollcall_.TakeSteers().empty());
  EXPECT_EQ(rollcall_.Hear(FromPs(ps_, kAttempt, 1), kNow).status().code(),
            StatusCode::kPermissionDenied);
}

}  // namespace
}  // namespace primus::master
