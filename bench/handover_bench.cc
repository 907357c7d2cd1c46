// What a hand-over costs: a ring between two loops on two threads of one process, in the ways a
// batch is passed. The memory is shared as between processes; only the address space is one.
#include <benchmark/benchmark.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <memory>
#include <string>
#include <thread>

#include "primus/handover/ring.h"

namespace primus::handover {
namespace {

constexpr uint64_t kBatchBytes = 1 << 20;

double CpuSeconds(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

// A ring with both ends on one loop.
struct Ring {
  Ring() {
    char directory[] = "/tmp/primus-bench-XXXXXX";
    const std::string path = std::string(::mkdtemp(directory)) + "/ring";
    auto acceptor = handover.Listen(
        path, [](const Hello&) { return OkStatus(); },
        [this](std::unique_ptr<Reader> accepted) { reader = std::move(accepted); });
    handover.Connect(path, {}, {.slots = 8, .slot_bytes_max = kBatchBytes},
                     [this](Result<std::unique_ptr<Writer>> result) {
                       if (result.ok()) writer = std::move(*result);
                     });
    loop.RunUntil([this] { return writer && reader; }, Seconds(10));
    if (acceptor.ok()) acceptor->reset();
    ::rmdir(directory);
  }
  env::AsioLoop loop;
  RingHandover handover{loop};
  std::unique_ptr<Reader> reader;
  std::unique_ptr<Writer> writer;
};

// Reserve, publish, take and release with the reader awake: no system call is on the way. The batch
// is built in place, so its size does not matter; that is the point of a ring.
void PublishAndTake(benchmark::State& state) {
  Ring ring;
  for (auto _ : state) {
    const std::optional<Slot> slot = ring.writer->TryReserve();
    ring.writer->Publish(*slot, kBatchBytes);
    const std::optional<Slot> taken = ring.reader->TryTake();
    benchmark::DoNotOptimize(taken->bytes.data());
    ring.reader->Release(*taken);
  }
}
BENCHMARK(PublishAndTake);

// The same where the writer fills 1 MiB and the reader reads every cache line of it.
void FillAndReadBatch(benchmark::State& state) {
  Ring ring;
  uint64_t sum = 0;
  for (auto _ : state) {
    const std::optional<Slot> slot = ring.writer->TryReserve();
    std::memset(slot->bytes.data(), 7, kBatchBytes);
    ring.writer->Publish(*slot, kBatchBytes);
    const std::optional<Slot> taken = ring.reader->TryTake();
    for (std::size_t i = 0; i < kBatchBytes; i += 64) sum += static_cast<uint64_t>(taken->bytes[i]);
    ring.reader->Release(*taken);
  }
  benchmark::DoNotOptimize(sum);
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * kBatchBytes));
}
BENCHMARK(FillAndReadBatch);

// From Publish until a sleeping reader, on the loop of another thread, holds the batch. The cpu
// of the whole process for it is in `cpu_us`.
void WakeASleepingReader(benchmark::State& state) {
  char directory[] = "/tmp/primus-bench-XXXXXX";
  const std::string path = std::string(::mkdtemp(directory)) + "/ring";
  std::atomic<uint64_t> taken{0};
  std::atomic<bool> listening{false};
  env::AsioLoop reader_loop;
  std::thread reader_thread([&] {
    RingHandover handover(reader_loop);
    std::unique_ptr<Reader> reader;
    const auto take = [&] {
      while (const std::optional<Slot> slot = reader->TryTake()) {
        reader->Release(*slot);
        taken.fetch_add(1, std::memory_order_release);
      }
    };
    auto acceptor = handover.Listen(
        path, [](const Hello&) { return OkStatus(); },
        [&](std::unique_ptr<Reader> accepted) {
          reader = std::move(accepted);
          reader->Observe(take, [] {});
          take();
        });
    listening = true;
    reader_loop.Run();
  });
  while (!listening) std::this_thread::yield();
  env::AsioLoop loop;
  RingHandover handover(loop);
  std::unique_ptr<Writer> writer;
  handover.Connect(path, {}, {.slots = 8, .slot_bytes_max = kBatchBytes},
                   [&](Result<std::unique_ptr<Writer>> result) {
                     if (result.ok()) writer = std::move(*result);
                   });
  loop.RunUntil([&] { return writer != nullptr; }, Seconds(10));
  uint64_t published = 0;
  const double cpu_before = CpuSeconds(CLOCK_PROCESS_CPUTIME_ID);
  double asleep_cpu = 0;
  for (auto _ : state) {
    state.PauseTiming();
    const double pause = CpuSeconds(CLOCK_PROCESS_CPUTIME_ID);
    loop.RunUntil([] { return false; }, Microseconds(200));  // until the reader is asleep
    const std::optional<Slot> slot = writer->TryReserve();
    asleep_cpu += CpuSeconds(CLOCK_PROCESS_CPUTIME_ID) - pause;
    state.ResumeTiming();
    writer->Publish(*slot, kBatchBytes);
    ++published;
    while (taken.load(std::memory_order_acquire) < published) {
    }
  }
  const double cpu = CpuSeconds(CLOCK_PROCESS_CPUTIME_ID) - cpu_before - asleep_cpu;
  state.counters["cpu_us"] = 1e6 * cpu / static_cast<double>(state.iterations());
  writer.reset();
  reader_loop.Stop();
  reader_thread.join();
  ::rmdir(directory);
}
BENCHMARK(WakeASleepingReader)->UseRealTime()->Iterations(2000);

}  // namespace
}  // namespace primus::handover

BENCHMARK_MAIN();
