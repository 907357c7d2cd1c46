#include "primus/rpc/client.h"

#include <google/protobuf/wrappers.pb.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "primus/base/seeded.h"
#include "primus/env/asio_loop.h"
#include "primus/env/system_random.h"
#include "primus/env/worker_pool.h"
#include "primus/rpc/inproc_network.h"
#include "primus/rpc/retry.h"
#include "primus/rpc/server.h"

namespace primus::rpc {
namespace {

using google::protobuf::StringValue;
using google::protobuf::UInt64Value;

constexpr Method<StringValue, UInt64Value> kLength{.name = "test.Text/Length",
                                                   .timeout = Seconds(20)};

StringValue Text(std::string text) {
  StringValue message;
  message.set_value(std::move(text));
  return message;
}

// A peer behind an in-process network that answers by script: the statuses, then lengths.
class ClientTest : public ::testing::Test {
 protected:
  void Serve() {
    server_.emplace(network_);
    server_->Handle(kLength, [this](const StringValue& request, std::string payload,
                                    const Reply<UInt64Value>& reply) {
      ++handled_;
      if (!script_.empty()) {
        const Status status = script_.front();
        script_.pop_front();
        return reply(status);
      }
      UInt64Value response;
      response.set_value(request.value().size());
      reply(response, payload + payload);
    });
    ASSERT_TRUE(server_->Listen("inproc:text").ok());
  }
  template <class Response = UInt64Value, class Request>
  Result<Answer<Response>> Call(const Method<Request, Response>& method, const Request& request,
                                CallOptions options) {
    std::optional<Result<Answer<Response>>> answer;
    client_->Call(method, request, "raw", options,
                  [&](Result<Answer<Response>> result) { answer = std::move(result); });
    EXPECT_TRUE(loop_.RunUntil([&] { return answer.has_value(); }, Seconds(60)));
    return *std::move(answer);
  }

  env::AsioLoop loop_;
  env::SystemRandom random_;
  env::WorkerPool pool_{loop_, 1};
  env::Environment environment_{.loop = loop_, .pool = pool_, .random = random_};
  InprocNetwork network_{loop_};
  std::deque<Status> script_;
  int handled_ = 0;
  std::optional<Server> server_;
  std::optional<Client> client_{std::in_place, environment_, network_, "inproc:text"};
};

TEST_F(ClientTest, CarriesMessagesAndPayloads) {
  Serve();
  const auto answer = Call(kLength, Text("four"), {});
  ASSERT_TRUE(answer.ok()) << answer.status().ToString();
  EXPECT_EQ(answer->message.value(), 4U);
  EXPECT_EQ(answer->payload, "rawraw");
}

TEST_F(ClientTest, TriesAgainUntilThePeerServes) {
  script_ = {UnavailableError("not yet"), DeadlineExceededError("lost"), UnavailableError("yet")};
  Serve();
  const auto answer = Call(kLength, Text("four"), {.deadline = Seconds(60)});
  ASSERT_TRUE(answer.ok()) << answer.status().ToString();
  EXPECT_EQ(answer->message.value(), 4U);
  EXPECT_EQ(answer->payload, "rawraw") << "each try must carry the payload";
  EXPECT_EQ(handled_, 4);
}

TEST_F(ClientTest, TriesOnceWithoutADeadline) {
  script_ = {UnavailableError("not yet")};
  Serve();
  const Status status = Call(kLength, Text("x"), {}).status();
  EXPECT_EQ(status.code(), StatusCode::kUnavailable);
  EXPECT_EQ(status.message(), "not yet");
  EXPECT_EQ(handled_, 1);
}

TEST_F(ClientTest, DoesNotRepeatWhatTheTableDoesNotList) {
  for (const StatusCode code : {StatusCode::kFailedPrecondition, StatusCode::kPermissionDenied,
                                StatusCode::kInternal, StatusCode::kResourceExhausted}) {
    handled_ = 0;
    script_ = {Status(code, "no")};
    if (!server_.has_value()) Serve();
    EXPECT_EQ(Call(kLength, Text("x"), {.deadline = Seconds(60)}).status().code(), code);
    EXPECT_EQ(handled_, 1);
  }
}

TEST_F(ClientTest, GivesTheLastErrorWhenTheDeadlineHasPassed) {
  const Instant start = loop_.Get().monotonic;
  const Status status = Call(kLength, Text("x"), {.deadline = Milliseconds(400)}).status();
  EXPECT_EQ(status.code(), StatusCode::kUnavailable);
  EXPECT_NE(status.message().find("inproc:text"), std::string::npos) << status.ToString();
  EXPECT_NE(status.message().find("tries"), std::string::npos) << status.ToString();
  EXPECT_GE(loop_.Get().monotonic - start, Milliseconds(10)) << "it must have tried again";
}

TEST_F(ClientTest, NamesAnUnknownMethod) {
  server_.emplace(network_);
  ASSERT_TRUE(server_->Listen("inproc:text").ok());
  const Status status = Call(kLength, Text("x"), {.deadline = Seconds(60)}).status();
  EXPECT_EQ(status.code(), StatusCode::kUnimplemented);
  EXPECT_NE(status.message().find("test.Text/Length"), std::string::npos) << status.ToString();
}

TEST_F(ClientTest, DropsCallbacksWithTheClient) {
  const auto held = std::make_shared<int>(0);
  bool ended = false;
  for (int i = 0; i < 2; ++i) {
    client_->Call(kLength, Text("x"), "", {.deadline = Seconds(60)},
                  [&ended, held](Result<Answer<UInt64Value>>) { ended = true; });
  }
  // Into the wait between two tries.
  loop_.RunUntil([] { return false; }, Milliseconds(5));
  client_.reset();
  EXPECT_EQ(held.use_count(), 1);
  loop_.RunUntil([] { return false; }, Milliseconds(50));
  EXPECT_FALSE(ended);
}

TEST_F(ClientTest, MayBeDestroyedByItsCallback) {
  Serve();
  int ended = 0;
  client_->Call(kLength, Text("x"), "", {}, [&](Result<Answer<UInt64Value>>) {
    ++ended;
    client_.reset();
  });
  client_->Call(kLength, Text("x"), "", {}, [&](Result<Answer<UInt64Value>>) { ++ended; });
  EXPECT_TRUE(loop_.RunUntil([&] { return !client_.has_value(); }, Seconds(60)));
  loop_.RunUntil([] { return false; }, Milliseconds(5));
  EXPECT_EQ(ended, 1);
}

TEST_F(ClientTest, KeepsTheRequestIdOverTriesAndTakesANewOneForEachCall) {
  std::vector<uint64_t> ids;
  const auto listener = network_.Listen(
      "inproc:text", [&](std::string_view, const Frame& request, const ReplyFrame& reply) {
        ids.push_back(request.request_id);
        if (ids.size() == 2) return reply(Frame{});
        reply(UnavailableError("again"));
      });
  ASSERT_TRUE(listener.ok());
  EXPECT_TRUE(Call(kLength, Text("x"), {.deadline = Seconds(60)}).ok());
  EXPECT_FALSE(Call(kLength, Text("x"), {}).ok());
  ASSERT_EQ(ids.size(), 3U);
  EXPECT_NE(ids[0], 0U);
  EXPECT_EQ(ids[0], ids[1]);
  EXPECT_NE(ids[0], ids[2]);
}

TEST_F(ClientTest, TellsAMalformedAnswer) {
  const auto listener =
      network_.Listen("inproc:text", [](std::string_view, const Frame&, const ReplyFrame& reply) {
        reply(Frame{.message = "\xff"});
      });
  ASSERT_TRUE(listener.ok());
  EXPECT_EQ(Call(kLength, Text("x"), {}).status().code(), StatusCode::kDataLoss);
}

TEST_F(ClientTest, RefusesAMalformedRequest) {
  Serve();
  const auto connection = network_.Connect("inproc:text");
  std::optional<Result<Frame>> answer;
  connection->Call(kLength.name, {.message = "\xff"}, Seconds(20),
                   [&](Result<Frame> result) { answer = std::move(result); });
  ASSERT_TRUE(loop_.RunUntil([&] { return answer.has_value(); }, Seconds(60)));
  EXPECT_EQ(answer->status().code(), StatusCode::kInvalidArgument);
  EXPECT_EQ(handled_, 0);
}

class SeededRandom final : public env::Random {
 public:
  uint64_t Next() override { return sequence_.Next(); }

 private:
  SeededSequence sequence_{1};
};

TEST(Retry, WaitsTwiceAsLongEachTimeUpToASecond) {
  SeededRandom random;
  const RetryRule* rule = FindRetryRule(StatusCode::kUnavailable);
  ASSERT_NE(rule, nullptr);
  Duration longest = Milliseconds(20);
  for (int tries = 1; tries < 100; ++tries) {
    const Duration wait = BackOff(*rule, tries, random);
    EXPECT_GE(wait, longest / 2);
    EXPECT_LE(wait, longest);
    longest = std::min(longest * 2, Seconds(1));
  }
}

TEST(Retry, NeverRepeatsARefusal) {
  for (const RetryRule& rule : RetryTable()) {
    EXPECT_NE(rule.code, StatusCode::kOk);
    EXPECT_NE(rule.code, StatusCode::kPermissionDenied);
    EXPECT_NE(rule.code, StatusCode::kFailedPrecondition);
  }
  EXPECT_EQ(FindRetryRule(StatusCode::kInvalidArgument), nullptr);
}

}  // namespace
}  // namespace primus::rpc
