#include "primus/sim/world.h"

#include <gtest/gtest.h>

#include "primus/sim/network.h"
#include "primus/sim/store.h"

namespace primus::sim {
namespace {

TEST(World, TheSameSeedGivesTheSameHistory) {
  const auto run = [](uint64_t seed) {
    World world(seed);
    const ProcessId process = world.Spawn("p");
    const env::Environment env = world.EnvironmentOf(process);
    int steps = 0;
    std::function<void()> step = [&] {
      if (++steps < 100) {
        env.pool.Run([] {}, [&] { env.loop.After(Microseconds(1), step); });
      }
    };
    env.loop.Post(step);
    world.RunFor(Seconds(10));
    EXPECT_EQ(steps, 100);
    return world.hash();
  };
  EXPECT_EQ(run(3), run(3));
  EXPECT_NE(run(3), run(4));
}

TEST(World, AStoppedProcessCatchesUpAndADeadOneDoesNot) {
  World world(1);
  const ProcessId stopped = world.Spawn("stopped");
  const ProcessId dead = world.Spawn("dead");
  std::vector<int> seen;
  world.Schedule(stopped, Seconds(1), [&] { seen.push_back(1); });
  const env::TimerId cancelled = world.Schedule(stopped, Seconds(2), [&] { seen.push_back(2); });
  world.Schedule(dead, Seconds(1), [&] { seen.push_back(3); });
  world.Stop(stopped);
  world.Kill(dead);
  world.RunFor(Seconds(5));
  EXPECT_TRUE(seen.empty());
  world.Cancel(cancelled);
  world.Continue(stopped);
  world.RunFor(Seconds(1));
  EXPECT_EQ(seen, std::vector<int>{1});
}

TEST(Net, APartitionEndsInADeadlineAndHeals) {
  World world(1);
  Faults faults;
  Net net(world, faults);
  const ProcessId a = world.Spawn("a");
  const ProcessId b = world.Spawn("b");
  const auto network_a = net.NetworkOf(a);
  const auto network_b = net.NetworkOf(b);
  const auto listener =
      network_b->Listen("sim:b", [](std::string_view, rpc::Frame request, rpc::ReplyFrame reply) {
        reply(std::move(request));
      });
  ASSERT_TRUE(listener.ok());
  const auto connection = network_a->Connect("sim:b");
  std::vector<StatusCode> codes;
  const auto call = [&] {
    connection->Call("m", {}, Seconds(1),
                     [&](Result<rpc::Frame> answer) { codes.push_back(answer.status().code()); });
  };
  net.Partition(a, b, Seconds(5));
  call();
  world.RunFor(Seconds(6));
  call();
  world.RunFor(Seconds(1));
  EXPECT_EQ(codes, (std::vector<StatusCode>{StatusCode::kDeadlineExceeded, StatusCode::kOk}));
}

TEST(Net, AStoppedListenerLosesItsAddressToASuccessor) {
  World world(1);
  Faults faults;
  Net net(world, faults);
  const ProcessId client = world.Spawn("client");
  const ProcessId first = world.Spawn("first");
  const ProcessId second = world.Spawn("second");
  const auto answer_with = [](std::string name) {
    return [name](std::string_view, rpc::Frame, rpc::ReplyFrame reply) {
      reply(rpc::Frame{.message = name});
    };
  };
  const auto network_first = net.NetworkOf(first);
  const auto network_second = net.NetworkOf(second);
  const auto network_client = net.NetworkOf(client);
  const auto listener = network_first->Listen("sim:master", answer_with("first"));
  EXPECT_EQ(network_second->Listen("sim:master", answer_with("second")).status().code(),
            StatusCode::kAlreadyExists);
  world.Stop(first);
  const auto successor = network_second->Listen("sim:master", answer_with("second"));
  ASSERT_TRUE(successor.ok());
  world.Continue(first);
  const auto connection = network_client->Connect("sim:master");
  std::string answer;
  connection->Call("m", {}, Seconds(1),
                   [&](const Result<rpc::Frame>& frame) { answer = frame->message; });
  world.RunFor(Seconds(2));
  EXPECT_EQ(answer, "second");
}

TEST(World, AKilledProcessHasPutABlobWhollyOrNotAtAll) {
  int put = 0;
  int unheard = 0;
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    World world(seed);
    Faults faults;
    Blobs blobs(world, faults);
    world.OnWork([] { return Seconds(1); });
    const ProcessId writer = world.Spawn("writer");
    bool heard = false;
    world.EnvironmentOf(writer).pool.Run([&] { EXPECT_TRUE(blobs.PutIfAbsent("a", "xyz").ok()); },
                                         [&] { heard = true; });
    world.RunFor(Milliseconds(500));
    world.Kill(writer);
    world.RunFor(Seconds(5));
    EXPECT_FALSE(heard);
    if (blobs.Find("a") == nullptr) continue;
    EXPECT_EQ(*blobs.Find("a"), "xyz");
    ++put;
    if (!heard) ++unheard;
  }
  EXPECT_GT(put, 20);
  EXPECT_LT(put, 180);
  EXPECT_EQ(unheard, put);
}

TEST(Blobs, ArePutOnceAndSurviveAnUnknownOutcome) {
  World world(1);
  Faults faults;
  Blobs blobs(world, faults);
  EXPECT_TRUE(blobs.PutIfAbsent("a/1", "x").ok());
  EXPECT_EQ(blobs.PutIfAbsent("a/1", "y").code(), StatusCode::kAlreadyExists);
  faults.put_unknown = 1;
  EXPECT_EQ(blobs.PutIfAbsent("a/2", "z").code(), StatusCode::kUnavailable);
  EXPECT_EQ(*blobs.Get("a/2"), "z");
  EXPECT_EQ(blobs.List("a/")->size(), 2U);
  EXPECT_EQ(faults.hits.counts().at("store.put unknown").at("no master"), 1U);
}

}  // namespace
}  // namespace primus::sim
