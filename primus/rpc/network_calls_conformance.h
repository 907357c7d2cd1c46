// How every Network carries calls: see network_conformance.h.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "primus/rpc/network_fixture.h"

namespace primus::rpc {

template <class World>
class NetworkCalls : public NetworkFixture<World> {};

TYPED_TEST_SUITE_P(NetworkCalls);

TYPED_TEST_P(NetworkCalls, CarriesMethodMessagePayloadAndRequestId) {
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

TYPED_TEST_P(NetworkCalls, CarriesNothingAndEightMebibytes) {
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

TYPED_TEST_P(NetworkCalls, CarriesTheHandlersError) {
  const std::string text = "line 1\nline 2 ü " + std::string(20000, 'x');
  const auto listener = this->Listen([&](std::string_view, Frame, ReplyFrame reply) {
    reply(Status(StatusCode::kFailedPrecondition, text));
  });
  const Result<Frame> answer = this->Call(*this->Connect(), "x");
  EXPECT_EQ(answer.status().code(), StatusCode::kFailedPrecondition);
  EXPECT_EQ(answer.status().message(), text);
}

TYPED_TEST_P(NetworkCalls, EndsACallAtItsDeadlineAndIgnoresTheLateReply) {
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

TYPED_TEST_P(NetworkCalls, AnswersLaterThanTheHandler) {
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

TYPED_TEST_P(NetworkCalls, AnswersInternalForADroppedReply) {
  const auto listener = this->Listen([](std::string_view, Frame, ReplyFrame) {});
  const Status status = this->Call(*this->Connect(), "x").status();
  EXPECT_EQ(status.code(), StatusCode::kInternal);
  EXPECT_NE(status.message().find("test.Echo/Say"), std::string::npos) << status.ToString();
}

TYPED_TEST_P(NetworkCalls, CarriesManyCallsAtOnce) {
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

REGISTER_TYPED_TEST_SUITE_P(NetworkCalls, CarriesMethodMessagePayloadAndRequestId,
                            CarriesNothingAndEightMebibytes, CarriesTheHandlersError,
                            EndsACallAtItsDeadlineAndIgnoresTheLateReply,
                            AnswersLaterThanTheHandler, AnswersInternalForADroppedReply,
                            CarriesManyCallsAtOnce);

}  // namespace primus::rpc
