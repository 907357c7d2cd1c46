// The ground of the network conformance suites: a world with a network, one address, and calls that
// are waited for.
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
class NetworkFixture : public ::testing::Test {
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

}  // namespace primus::rpc
