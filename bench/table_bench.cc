// Speed of one embedding table on one thread: rows of 16 values under Adagrad, random 64-bit keys.
//
//   primus_table_bench [--benchmark_filter=/1000000]
//
// Items per second are rows. `Freeze` reports the pause of a cut.
#include <benchmark/benchmark.h>

#include <map>
#include <memory>
#include <vector>

#include "plugins/optimizers/adagrad/adagrad.h"
#include "primus/base/seeded.h"
#include "primus/embedding/slab_table.h"

#include "plugins/optimizers/adagrad/adagrad.pb.h"

namespace primus {
namespace {

constexpr uint32_t kDim = 16;
constexpr std::size_t kBatch = 8192;
constexpr std::size_t kBatches = 256;

std::unique_ptr<const embedding::Optimizer> Adagrad() {
  optimizers::AdagradOptions options;
  options.set_learning_rate(0.05);
  options.set_epsilon(1e-10);
  return optimizers::MakeAdagrad(options.SerializeAsString()).value();
}

jobspec::TableSpec Spec(double std) {
  return {.name = "bench",
          .dim = kDim,
          .first_order = false,
          .init_normal_std = std,
          .optimizer = "adagrad",
          .optimizer_options = {}};
}

// A full table and batches of its keys in random order.
struct Filled {
  explicit Filled(uint64_t rows) : optimizer(Adagrad()), table(Spec(0), 1, *optimizer) {
    std::vector<uint64_t> keys(kBatch);
    std::vector<float> out(kBatch * kDim);
    for (uint64_t first = 0; first < rows; first += kBatch) {
      for (std::size_t i = 0; i < kBatch; ++i) keys[i] = Mix64(first + i);
      table.Pull(keys, embedding::Absent::kCreate, out.data());
    }
    SeededSequence random(3);
    batches.resize(kBatches);
    for (std::vector<uint64_t>& batch : batches) {
      for (std::size_t i = 0; i < kBatch; ++i) batch.push_back(Mix64(random.Below(rows)));
    }
  }
  const std::vector<uint64_t>& Next() { return batches[next++ % kBatches]; }

  std::unique_ptr<const embedding::Optimizer> optimizer;
  embedding::SlabTable table;
  std::vector<std::vector<uint64_t>> batches;
  std::size_t next = 0;
};

// One table for all benchmarks of a size, since filling it takes seconds.
Filled& TableOf(benchmark::State& state, std::map<int64_t, std::unique_ptr<Filled>>& tables) {
  std::unique_ptr<Filled>& filled = tables[state.range(0)];
  if (!filled) filled = std::make_unique<Filled>(static_cast<uint64_t>(state.range(0)));
  return *filled;
}

using Tables = std::map<int64_t, std::unique_ptr<Filled>>;

void Gather(benchmark::State& state, Tables* tables) {
  Filled& filled = TableOf(state, *tables);
  std::vector<float> out(kBatch * kDim);
  for (auto _ : state) {
    filled.table.Pull(filled.Next(), embedding::Absent::kZeros, out.data());
    benchmark::DoNotOptimize(out.data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(kBatch));
  const auto rows = static_cast<double>(filled.table.rows());
  state.counters["bytes/row"] = static_cast<double>(filled.table.bytes()) / rows;
}

void PushAdagrad(benchmark::State& state, Tables* tables) {
  Filled& filled = TableOf(state, *tables);
  const std::vector<float> gradients(kBatch * kDim, 0.01F);
  for (auto _ : state) filled.table.Push(filled.Next(), gradients.data());
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(kBatch));
}

void Freeze(benchmark::State& state, Tables* tables) {
  Filled& filled = TableOf(state, *tables);
  for (auto _ : state) {
    auto frozen = std::make_unique<embedding::FrozenTable>(filled.table.Freeze());
    // A pool thread drops the copy.
    state.PauseTiming();
    frozen.reset();
    state.ResumeTiming();
  }
}

// A push while a frozen copy is held: pages are copied on their first write.
void PushWhileFrozen(benchmark::State& state, Tables* tables) {
  Filled& filled = TableOf(state, *tables);
  const std::vector<float> gradients(kBatch * kDim, 0.01F);
  const embedding::FrozenTable frozen = filled.table.Freeze();
  for (auto _ : state) filled.table.Push(filled.Next(), gradients.data());
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(kBatch));
}

// From an empty table, growth and initial values included.
void Insert(benchmark::State& state) {
  const auto optimizer = Adagrad();
  std::vector<uint64_t> keys(kBatch);
  std::vector<float> out(kBatch * kDim);
  const auto rows = static_cast<uint64_t>(state.range(0));
  for (auto _ : state) {
    embedding::SlabTable table(Spec(0.01), 1, *optimizer);
    for (uint64_t first = 0; first < rows; first += kBatch) {
      for (std::size_t i = 0; i < kBatch; ++i) keys[i] = Mix64(first + i);
      table.Pull(keys, embedding::Absent::kCreate, out.data());
    }
    benchmark::DoNotOptimize(table.rows());
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

}  // namespace
}  // namespace primus

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  primus::Tables tables;
  for (const int64_t rows : {1'000'000, 10'000'000}) {
    benchmark::RegisterBenchmark("Gather", primus::Gather, &tables)->Arg(rows);
    benchmark::RegisterBenchmark("PushAdagrad", primus::PushAdagrad, &tables)->Arg(rows);
    benchmark::RegisterBenchmark("Freeze", primus::Freeze, &tables)
        ->Arg(rows)
        ->Iterations(20)
        ->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark("PushWhileFrozen", primus::PushWhileFrozen, &tables)->Arg(rows);
    benchmark::RegisterBenchmark("Insert", primus::Insert)->Arg(rows)->Unit(benchmark::kSecond);
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
