// How every Network meets peers that come, go and come again: see network_conformance.h.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "primus/rpc/network_fixture.h"

namespace primus::rpc {

template <class World>
class NetworkPeers : public NetworkFixture<World> {};

TYPED_TEST_SUITE_P(NetworkPeers);

TYPED_TEST_P(NetworkPeers, IsUnavailableWithoutAPeerAndReachesOneThatComes) {
  const auto connection = this->Connect();
  const Status status = this->Call(*connection, "x").status();
  EXPECT_EQ(status.code(), StatusCode::kUnavailable);
  EXPECT_NE(status.message().find(this->address_), std::string::npos) << status.ToString();
  const auto listener = this->ListenEcho();
  EXPECT_TRUE(this->Reach(*connection));
}

TYPED_TEST_P(NetworkPeers, ReachesAPeerThatWasRestarted) {
  auto listener = this->ListenEcho();
  const auto connection = this->Connect();
  for (int life = 0; life < 3; ++life) {
    ASSERT_TRUE(this->Reach(*connection)) << life;
    listener.reset();
    EXPECT_EQ(this->CodeOf(*connection), StatusCode::kUnavailable);
    listener = this->ListenEcho();
  }
  EXPECT_TRUE(this->Reach(*connection));
}

TYPED_TEST_P(NetworkPeers, EndsOpenCallsWhenThePeerGoes) {
  ReplyFrame kept;
  auto listener =
      this->Listen([&](std::string_view, Frame, ReplyFrame reply) { kept = std::move(reply); });
  const auto connection = this->Connect();
  std::optional<Result<Frame>> answer;
  connection->Call("m", {}, this->kLong, [&](Result<Frame> result) { answer = result; });
  ASSERT_TRUE(this->world_.RunUntil([&] { return kept != nullptr; }));
  listener.reset();
  ASSERT_TRUE(this->world_.RunUntil([&] { return answer.has_value(); }));
  EXPECT_EQ(answer->status().code(), StatusCode::kUnavailable);
  kept(Frame{});  // goes nowhere
  kept = nullptr;
  this->Wait(this->kShort);
}

TYPED_TEST_P(NetworkPeers, DropsTheCallbacksOfADestroyedConnection) {
  ReplyFrame kept;
  const auto listener =
      this->Listen([&](std::string_view, Frame, ReplyFrame reply) { kept = std::move(reply); });
  auto connection = this->Connect();
  const auto held = std::make_shared<int>(0);
  bool ended = false;
  connection->Call("m", {}, this->kLong, [&ended, held](Result<Frame>) { ended = true; });
  connection->Call("m", {}, this->kShort, [&ended, held](Result<Frame>) { ended = true; });
  ASSERT_TRUE(this->world_.RunUntil([&] { return kept != nullptr; }));
  connection.reset();
  EXPECT_EQ(held.use_count(), 1) << "what a callback holds must go with the connection";
  kept(Frame{});
  this->Wait(this->kShort * 2);
  EXPECT_FALSE(ended);
}

TYPED_TEST_P(NetworkPeers, TakesCallsAndDestructionInsideACallback) {
  const auto listener = this->ListenEcho();
  auto connection = this->Connect();
  std::string second;
  bool after = false;
  connection->Call("m", {.message = "a"}, this->kLong, [&](Result<Frame>) {
    connection->Call("m", {.message = "b"}, this->kLong, [&](Result<Frame> result) {
      second = result.ok() ? result->message : result.status().ToString();
      connection->Call("m", {}, this->kLong, [&](Result<Frame>) { after = true; });
      connection.reset();
    });
  });
  ASSERT_TRUE(this->world_.RunUntil([&] { return !second.empty(); }));
  EXPECT_EQ(second, "m:b");
  this->Wait(this->kShort);
  EXPECT_FALSE(after);
}

TYPED_TEST_P(NetworkPeers, LetsAHandlerStopListening) {
  std::unique_ptr<Listener> listener;
  listener = this->Listen([&](std::string_view, Frame request, ReplyFrame reply) {
    listener.reset();
    reply(std::move(request));  // goes nowhere
  });
  EXPECT_EQ(this->CodeOf(*this->Connect()), StatusCode::kUnavailable);
}

TYPED_TEST_P(NetworkPeers, RefusesASecondListenerAndTakesOneAfterTheFirst) {
  auto listener = this->ListenEcho();
  const auto second = this->world_.ServerNetwork().Listen(
      this->address_, [](std::string_view, Frame, ReplyFrame) {});
  EXPECT_EQ(second.status().code(), StatusCode::kAlreadyExists);
  const auto connection = this->Connect();
  EXPECT_TRUE(this->Call(*connection, "x").ok()) << "the first must not be disturbed";
  listener.reset();
  EXPECT_NE(this->ListenEcho(), nullptr);
}

REGISTER_TYPED_TEST_SUITE_P(NetworkPeers, IsUnavailableWithoutAPeerAndReachesOneThatComes,
                            ReachesAPeerThatWasRestarted, EndsOpenCallsWhenThePeerGoes,
                            DropsTheCallbacksOfADestroyedConnection,
                            TakesCallsAndDestructionInsideACallback, LetsAHandlerStopListening,
                            RefusesASecondListenerAndTakesOneAfterTheFirst);

}  // namespace primus::rpc
