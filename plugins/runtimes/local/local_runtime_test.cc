#include "plugins/runtimes/local/local_runtime.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>

#include "plugins/runtimes/local/child_process.h"
#include "plugins/runtimes/local/local_world.h"
#include "plugins/runtimes/local/marked_processes.h"
#include "primus/runtime/log_name.h"
#include "primus/runtime/runtime_conformance.h"

namespace primus::runtime {
using primus::runtimes::LocalWorld;
INSTANTIATE_TYPED_TEST_SUITE_P(Local, RuntimeConformance, LocalWorld);
}  // namespace primus::runtime

namespace primus::runtimes {
namespace {

const runtime::ContainerId kId = "job/a-0/1";

class LocalRuntimeTest : public testing::Test {
 protected:
  bool AwaitExit() {
    return world_.RunUntil([&] {
      const auto list = world_.runtime().List();
      return !list.empty() && list[0].state == runtime::ContainerState::kExited;
    });
  }
  bool AwaitReady() {
    return world_.RunUntil([&] { return world_.IsReady(kId); });
  }
  bool AwaitDeath(pid_t pid) {
    return world_.RunUntil([&] { return !IsAlive(pid); });
  }
  // The number that the container printed after "pid ".
  pid_t PrintedPid() {
    const std::string output = world_.Output(kId);
    return std::stoi(output.substr(output.find("pid ") + 4));
  }

  LocalWorld world_;
};

TEST_F(LocalRuntimeTest, OutputEnvironmentAndDirectoryAreTheContainers) {
  ASSERT_TRUE(
      world_.Launch(kId, LocalWorld::Shell("echo $GREETING; pwd; echo oops >&2; read x; echo end"))
          .ok());
  ASSERT_TRUE(AwaitExit());
  EXPECT_EQ(world_.Output(kId), "hello world\n" + world_.directory() + "\nend\n")
      << "standard input is empty";
  EXPECT_EQ(world_.Errors(kId), "oops\n");
}

TEST_F(LocalRuntimeTest, MissingProgramIsAnErrorThatNamesIt) {
  const Status launched = world_.Launch(kId, {"no-such-program"});
  EXPECT_EQ(launched.code(), StatusCode::kNotFound);
  EXPECT_NE(launched.message().find("no-such-program"), std::string::npos);
  EXPECT_TRUE(world_.runtime().List().empty());
}

TEST_F(LocalRuntimeTest, DescriptorsAndSignalsAreNotInherited) {
  ::signal(SIGUSR1, SIG_IGN);
  ASSERT_TRUE(
      world_.Launch(kId, LocalWorld::Shell("ls /proc/self/fd | wc -l; grep SigIgn /proc/$$/status"))
          .ok());
  ::signal(SIGUSR1, SIG_DFL);
  ASSERT_TRUE(AwaitExit());
  const std::string output = world_.Output(kId);
  EXPECT_TRUE(output.starts_with("4\nSigIgn:\t")) << output << "ls itself has one open";
  // 32 and 33 are the C library's own: whoever started this test may have left them ignored.
  const uint64_t ignored = std::stoull(output.substr(output.rfind('\t') + 1), nullptr, 16);
  EXPECT_EQ(ignored & ~uint64_t{0x180000000}, 0U) << output;
}

TEST_F(LocalRuntimeTest, RestOfTheGroupEndsWithItsLeader) {
  ASSERT_TRUE(
      world_.Launch(kId, LocalWorld::Shell("tail -f /dev/null & echo pid $!; exit 5")).ok());
  ASSERT_TRUE(AwaitExit());
  EXPECT_EQ(world_.runtime().List()[0].exit_code, 5);
  EXPECT_TRUE(AwaitDeath(PrintedPid()));
}

TEST_F(LocalRuntimeTest, WhoLeftTheGroupEndsToo) {
  ASSERT_TRUE(world_
                  .Launch(kId, LocalWorld::Shell("setsid sh -c 'echo pid $$; echo ready; exec "
                                                 "tail -f /dev/null' & exec tail -f /dev/null"))
                  .ok());
  ASSERT_TRUE(AwaitReady());
  const pid_t escaped = PrintedPid();
  EXPECT_TRUE(IsAlive(escaped));
  world_.runtime().Stop(kId, runtime::StopMode::kImmediate);
  ASSERT_TRUE(AwaitExit());
  EXPECT_FALSE(IsAlive(escaped));
}

TEST_F(LocalRuntimeTest, StoppedContainerEndsGracefully) {
  ASSERT_TRUE(world_.Launch(kId, world_.Stays()).ok());
  ASSERT_TRUE(AwaitReady());
  const auto found = FindMarked({"PRIMUS_NODE=" + world_.mark(), "PRIMUS_CONTAINER=" + kId});
  ASSERT_EQ(found.size(), 1u);
  ::kill(found[0], SIGSTOP);
  world_.runtime().Stop(kId, runtime::StopMode::kGraceful);
  ASSERT_TRUE(AwaitExit());
  EXPECT_EQ(world_.runtime().List()[0].exit_code, 143);
}

TEST_F(LocalRuntimeTest, NothingOutlivesANodeThatIsKilled) {
  int output[2];
  ASSERT_EQ(::pipe(output), 0);
  const std::string script =
      "setsid sh -c 'exec tail -f /dev/null' & trap '' TERM; echo ready; exec tail -f /dev/null";
  const Result<pid_t> node =
      StartChild({.command = {"/proc/self/exe", "node", script}, .standard_output = output[1]});
  ASSERT_TRUE(node.ok()) << node.status().ToString();
  ::close(output[1]);
  char directory[256] = {};
  ASSERT_GT(::read(output[0], directory, sizeof directory - 1), 0);
  ::close(output[0]);
  const std::filesystem::path path = std::string(directory).substr(0, strcspn(directory, "\n"));
  const std::string mark = "PRIMUS_NODE=" + path.filename().string();
  ASSERT_TRUE(world_.RunUntil([&] { return FindMarked({mark}).size() == 2; }));
  ::kill(*node, SIGKILL);
  EXPECT_TRUE(world_.RunUntil([&] { return FindMarked({mark}).empty(); }));
  std::filesystem::remove_all(path);
}

TEST_F(LocalRuntimeTest, ReaperThatIsKilledIsReplaced) {
  const std::string mark = "PRIMUS_NODE=" + world_.mark();
  const auto find_reaper = [] {
    pid_t reaper = 0;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
      const std::string pid = entry.path().filename();
      if (pid.find_first_not_of("0123456789") != std::string::npos) continue;
      std::ifstream stat(entry.path() / "stat");
      std::string text;  // stays empty when the process goes while it is read
      std::getline(stat, text);
      const bool is_reaper = text.find("(primus-reaper)") != std::string::npos;
      const bool is_ours = text.find(" " + std::to_string(::getpid()) + " ") != std::string::npos;
      if (is_reaper && is_ours && text.find(") Z") == std::string::npos) reaper = std::stoi(pid);
    }
    return reaper;
  };
  ASSERT_TRUE(world_.RunUntil([&] { return find_reaper() != 0; }));
  const pid_t first = find_reaper();
  ::kill(first, SIGKILL);
  EXPECT_TRUE(world_.RunUntil([&] { return find_reaper() != 0 && find_reaper() != first; }));
}

TEST(LogNameTest, IsReplicaAndLaunch) {
  EXPECT_EQ(runtime::LogName("movielens/trainer-0/1.3"), "trainer-0.1.3");
  EXPECT_EQ(runtime::LogName("trainer-0/1"), "trainer-0.1");
  EXPECT_EQ(runtime::LogName("alone"), "alone");
}

TEST(DescribeExitTest, SaysHowItEnded) {
  EXPECT_EQ(DescribeExit(W_EXITCODE(2, 0)).reason, "exited with code 2");
  EXPECT_EQ(DescribeExit(W_EXITCODE(0, SIGSEGV)).reason, "killed by signal 11 (SIGSEGV)");
  EXPECT_EQ(DescribeExit(W_EXITCODE(0, SIGKILL)).code, 137);
}

}  // namespace
}  // namespace primus::runtimes
