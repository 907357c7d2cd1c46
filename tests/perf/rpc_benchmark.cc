// Round trips between two processes over the gRPC network: time, and the cpu of both sides.
#include <benchmark/benchmark.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "primus/env/asio_loop.h"
#include "primus/rpc/grpc_network.h"

namespace primus::rpc {
namespace {

// The peer, a process of its own that echoes; killed with its owner. Made before this process
// touches gRPC: a fork would share its epoll instance.
class EchoProcess {
 public:
  EchoProcess() {
    std::string name = (std::filesystem::temp_directory_path() / "primus-bench-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    folder_ = name;
    address_ = "unix:" + (folder_ / "echo.sock").string();
    child_ = ::fork();
    if (child_ == 0) Serve(address_);
  }
  ~EchoProcess() {
    ::kill(child_, SIGKILL);
    ::waitpid(child_, nullptr, 0);
    std::filesystem::remove_all(folder_);
  }
  EchoProcess(const EchoProcess&) = delete;
  EchoProcess& operator=(const EchoProcess&) = delete;

  const Address& address() const { return address_; }
  double CpuSeconds() const {
    clockid_t clock{};
    timespec time{};
    if (::clock_getcpuclockid(child_, &clock) != 0 || ::clock_gettime(clock, &time) != 0) return 0;
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
  }

 private:
  [[noreturn]] static void Serve(const Address& address) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    env::AsioLoop loop;
    telemetry::Registry metrics;
    GrpcNetwork network(loop, metrics);
    const auto listener = network.Listen(
        address,
        [](std::string_view, Frame request, ReplyFrame reply) { reply(std::move(request)); });
    loop.Run();
    std::_Exit(0);
  }

  std::filesystem::path folder_;
  Address address_;
  pid_t child_ = -1;
};

double OwnCpuSeconds() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

// `state.range(0)` payload bytes there and back.
void RoundTrip(benchmark::State& state, const EchoProcess& peer) {
  env::AsioLoop loop;
  telemetry::Registry metrics;
  GrpcNetwork network(loop, metrics);
  const auto connection = network.Connect(peer.address());
  const std::string payload(static_cast<std::size_t>(state.range(0)), 'x');
  const auto call = [&] {
    std::optional<bool> ok;
    connection->Call("bench.Echo/Say", {.payload = payload}, Seconds(10),
                     [&](Result<Frame> answer) { ok = answer.ok(); });
    return loop.RunUntil([&] { return ok.has_value(); }, Seconds(20)) && *ok;
  };
  int tries = 0;
  while (!call()) {
    if (++tries == 1000) return state.SkipWithError("no peer");
    loop.RunUntil([] { return false; }, Milliseconds(10));
  }
  for (int i = 0; i < 200; ++i) call();

  const double own = OwnCpuSeconds(), its = peer.CpuSeconds();
  for (auto _ : state) {
    if (!call()) return state.SkipWithError("a call failed");
  }
  const auto calls = static_cast<double>(state.iterations());
  state.counters["caller_cpu_us"] = (OwnCpuSeconds() - own) / calls * 1e6;
  state.counters["peer_cpu_us"] = (peer.CpuSeconds() - its) / calls * 1e6;
}
void Run() {
  const EchoProcess peer;
  benchmark::RegisterBenchmark("RoundTrip", RoundTrip, std::cref(peer))
      ->Arg(0)
      ->Arg(64 << 10)
      ->Arg(1 << 20)
      ->UseRealTime()
      ->Unit(benchmark::kMicrosecond);
  benchmark::RunSpecifiedBenchmarks();
}

}  // namespace
}  // namespace primus::rpc

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  primus::rpc::Run();
  return 0;
}
