// What every Network must do. An implementation instantiates the suite:
//
//   INSTANTIATE_TYPED_TEST_SUITE_P(Inproc, NetworkConformance, InprocWorld);
//
// A World is default constructible and has
//   env::EventLoop& loop();
//   Network& ServerNetwork(); Network& ClientNetwork();   of two processes, or one and the same
//   Address NewAddress();                                 one where nobody listens yet
//   bool RunUntil(const std::function<bool()>& holds);    runs the loop; false: it will never hold
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "primus/env/event_loop.h"
#include "primus/rpc/network.h"

namespace primus::rpc {

template <class World>
class NetworkConformance : public ::testing::Test {
 protected:
  // Far above what a call needs, so that it never decides the outcome by speed.
  static constexpr Duration kLong = Seconds(20);
  static constexpr Duration kShort = Milliseconds(30);

  std::unique_ptr<Listener> Listen(FrameHandler handler) {
    auto listener = world_.ServerNetwork().Listen(address_, std::move(handler));
    EXPECT_TRUE(listener.ok()) << listener.status().ToString();
    return listener.ok() ? *std::move(listener) : nullptr;
  }
  std::unique_ptr<Listener> ListenEcho() {
    return Listen([](std::string_view method, Frame request, ReplyFrame reply) {
      request.message = std::string(method) + ":" + request.message;
      reply(std::move(request));
    });
  }
  std::unique_ptr<Connection> Connect() { return world_.ClientNetwork().Connect(address_); }

  // One call, waited for.
  Result<Frame> Call(Connection& connection, std::string message, Duration timeout = kLong) {
    std::optional<Result<Frame>> answer;
    connection.Call("test.Echo/Say", {.request_id = 7, .message = std::move(message)}, timeout,
                    [&](Result<Frame> result) { answer = std::move(result); });
    EXPECT_FALSE(answer.has_value()) << "a callback must not run inside Call";
    EXPECT_TRUE(world_.RunUntil([&] { return answer.has_value(); }));
    return answer.has_value() ? *std::move(answer) : InternalError("the call never ended");
  }
  StatusCode CodeOf(Connection& connection, Duration timeout = kLong) {
    return Call(connection, "x", timeout).status().code();
  }
  // Calls until a peer is there.
  bool Reach(Connection& connection) {
    for (int i = 0; i < 200; ++i) {
      if (Call(connection, "x").ok()) return true;
      Wait(Milliseconds(10));
    }
    return false;
  }
  // Lets the loop turn for a while: what should not happen has the time to.
  void Wait(Duration time) {
    bool over = false;
    world_.loop().After(time, [&] { over = true; });
    ASSERT_TRUE(world_.RunUntil([&] { return over; }));
  }

  World world_;
  Address address_ = world_.NewAddress();
};

TYPED_TEST_SUITE_P(NetworkConformance);

TYPED_TEST_P(NetworkConformance, CarriesMethodMessagePayloadAndRequestId) {
  const std::string payload("\0\1raw\xff", 6);
  Frame seen;
  const auto listener = this->Listen([&](std::string_view method, Frame request, ReplyFrame reply) {
    EXPECT_EQ(method, "test.Echo/Say");
    seen = request;
    reply(std::move(request));
  });
  const auto connection = this->Connect();
  std::optional<Result<Frame>> answer;
  connection->Call("test.Echo/Say", {.request_id = 42, .message = "m", .payload = payload},
                   this->kLong, [&](Result<Frame> result) { answer = std::move(result); });
  ASSERT_TRUE(this->world_.RunUntil([&] { return answer.has_value(); }));
  ASSERT_TRUE(answer->ok()) << answer->status().ToString();
  EXPECT_EQ(seen.request_id, 42U);
  EXPECT_EQ(seen.message, "m");
  EXPECT_EQ(seen.payload, payload);
  EXPECT_EQ((**answer).request_id, 42U);
  EXPECT_EQ((**answer).message, "m");
  EXPECT_EQ((**answer).payload, payload);
}

TYPED_TEST_P(NetworkConformance, CarriesNothingAndEightMebibytes) {
  const auto listener = this->Listen(
      [](std::string_view, Frame request, ReplyFrame reply) { reply(std::move(request)); });
  const auto connection = this->Connect();
  std::string large(std::size_t{8} << 20, '\0');
  for (std::size_t i = 0; i < large.size(); i += 101) large[i] = static_cast<char>(i % 251);
  for (const std::string& payload : {std::string(), large}) {
    std::optional<Result<Frame>> answer;
    connection->Call("m", {.payload = payload}, this->kLong,
                     [&](Result<Frame> result) { answer = std::move(result); });
    ASSERT_TRUE(this->world_.RunUntil([&] { return answer.has_value(); }));
    ASSERT_TRUE(answer->ok()) << answer->status().ToString();
    EXPECT_EQ((**answer).message, "");
    EXPECT_TRUE((**answer).payload == payload);
  }
}

TYPED_TEST_P(NetworkConformance, CarriesTheHandlersError) {
  const std::string text = "line 1\nline 2 ü " + std::string(20000, 'x');
  const auto listener = this->Listen([&](std::string_view, Frame, ReplyFrame reply) {
    reply(Status(StatusCode::kFailedPrecondition, text));
  });
  const Result<Frame> answer = this->Call(*this->Connect(), "x");
  EXPECT_EQ(answer.status().code(), StatusCode::kFailedPrecondition);
  EXPECT_EQ(answer.status().message(), text);
}

TYPED_TEST_P(NetworkConformance, EndsACallAtItsDeadlineAndIgnoresTheLateReply) {
  std::vector<ReplyFrame> kept;
  const auto listener = this->Listen(
      [&](std::string_view, Frame, ReplyFrame reply) { kept.push_back(std::move(reply)); });
  const auto connection = this->Connect();
  EXPECT_EQ(this->CodeOf(*connection, this->kShort), StatusCode::kDeadlineExceeded);
  ASSERT_TRUE(this->world_.RunUntil([&] { return !kept.empty(); }));
  kept[0](Frame{.message = "late"});
  this->Wait(this->kShort);
  kept.clear();
  int ended = 0;
  connection->Call("m", {}, this->kLong, [&](Result<Frame> result) {
    ++ended;
    EXPECT_TRUE(result.ok());
  });
  ASSERT_TRUE(this->world_.RunUntil([&] { return !kept.empty(); }));
  kept[0](Frame{});
  EXPECT_TRUE(this->world_.RunUntil([&] { return ended == 1; }));
}

TYPED_TEST_P(NetworkConformance, AnswersLaterThanTheHandler) {
  ReplyFrame kept;
  const auto listener =
      this->Listen([&](std::string_view, Frame, ReplyFrame reply) { kept = std::move(reply); });
  const auto connection = this->Connect();
  std::optional<Result<Frame>> answer;
  connection->Call("m", {}, this->kLong, [&](Result<Frame> result) { answer = result; });
  ASSERT_TRUE(this->world_.RunUntil([&] { return kept != nullptr; }));
  kept(Frame{.message = "later"});
  ASSERT_TRUE(this->world_.RunUntil([&] { return answer.has_value(); }));
  ASSERT_TRUE(answer->ok());
  EXPECT_EQ((**answer).message, "later");
}

TYPED_TEST_P(NetworkConformance, AnswersInternalForADroppedReply) {
  const auto listener = this->Listen([](std::string_view, Frame, ReplyFrame) {});
  const Status status = this->Call(*this->Connect(), "x").status();
  EXPECT_EQ(status.code(), StatusCode::kInternal);
  EXPECT_NE(status.message().find("test.Echo/Say"), std::string::npos) << status.ToString();
}

TYPED_TEST_P(NetworkConformance, IsUnavailableWithoutAPeerAndReachesOneThatComes) {
  const auto connection = this->Connect();
  const Status status = this->Call(*connection, "x").status();
  EXPECT_EQ(status.code(), StatusCode::kUnavailable);
  EXPECT_NE(status.message().find(this->address_), std::string::npos) << status.ToString();
  const auto listener = this->ListenEcho();
  EXPECT_TRUE(this->Reach(*connection));
}

TYPED_TEST_P(NetworkConformance, ReachesAPeerThatWasRestarted) {
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

TYPED_TEST_P(NetworkConformance, EndsOpenCallsWhenThePeerGoes) {
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

TYPED_TEST_P(NetworkConformance, CarriesManyCallsAtOnce) {
  std::vector<std::pair<Frame, ReplyFrame>> kept;
  const auto listener = this->Listen([&](std::string_view, Frame request, ReplyFrame reply) {
    kept.emplace_back(std::move(request), std::move(reply));
  });
  const auto first = this->Connect(), second = this->Connect();
  constexpr uint64_t kCalls = 200;
  uint64_t right = 0;
  for (uint64_t i = 0; i < kCalls; ++i) {
    (i % 2 == 0 ? first : second)
        ->Call("m", {.request_id = i, .message = std::to_string(i)}, this->kLong,
               [&right, i](Result<Frame> result) {
                 right += result.ok() && result->message == std::to_string(i) ? 1 : 0;
               });
  }
  ASSERT_TRUE(this->world_.RunUntil([&] { return kept.size() == kCalls; }));
  while (!kept.empty()) {  // the last first
    kept.back().second(std::move(kept.back().first));
    kept.pop_back();
  }
  EXPECT_TRUE(this->world_.RunUntil([&] { return right == kCalls; }));
}

TYPED_TEST_P(NetworkConformance, DropsTheCallbacksOfADestroyedConnection) {
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

TYPED_TEST_P(NetworkConformance, TakesCallsAndDestructionInsideACallback) {
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

TYPED_TEST_P(NetworkConformance, LetsAHandlerStopListening) {
  std::unique_ptr<Listener> listener;
  listener = this->Listen([&](std::string_view, Frame request, ReplyFrame reply) {
    listener.reset();
    reply(std::move(request));  // goes nowhere
  });
  EXPECT_EQ(this->CodeOf(*this->Connect()), StatusCode::kUnavailable);
}

TYPED_TEST_P(NetworkConformance, RefusesASecondListenerAndTakesOneAfterTheFirst) {
  auto listener = this->ListenEcho();
  const auto second = this->world_.ServerNetwork().Listen(
      this->address_, [](std::string_view, Frame, ReplyFrame) {});
  EXPECT_EQ(second.status().code(), StatusCode::kAlreadyExists);
  const auto connection = this->Connect();
  EXPECT_TRUE(this->Call(*connection, "x").ok()) << "the first must not be disturbed";
  listener.reset();
  EXPECT_NE(this->ListenEcho(), nullptr);
}

REGISTER_TYPED_TEST_SUITE_P(NetworkConformance, CarriesMethodMessagePayloadAndRequestId,
                            CarriesNothingAndEightMebibytes, CarriesTheHandlersError,
                            EndsACallAtItsDeadlineAndIgnoresTheLateReply,
                            AnswersLaterThanTheHandler, AnswersInternalForADroppedReply,
                            IsUnavailableWithoutAPeerAndReachesOneThatComes,
                            ReachesAPeerThatWasRestarted, EndsOpenCallsWhenThePeerGoes,
                            CarriesManyCallsAtOnce, DropsTheCallbacksOfADestroyedConnection,
                            TakesCallsAndDestructionInsideACallback, LetsAHandlerStopListening,
                            RefusesASecondListenerAndTakesOneAfterTheFirst);

}  // namespace primus::rpc
