#include "primus/embedding/slab_store.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <utility>

#include "primus/embedding/dense_layout.h"
#include "primus/embedding/finite.h"
#include "primus/embedding/frozen_slabs.h"
#include "primus/embedding/part_reader.h"

namespace primus::embedding {
namespace {

Result<std::unique_ptr<const Optimizer>> MakeOptimizer(const OptimizerSlot& slot,
                                                       const std::string& key,
                                                       std::string_view options) {
  const OptimizerMaker* maker = slot.Find(key);
  if (maker == nullptr) {
    return InvalidArgumentError("no optimizer \"" + key + "\" in slot " + slot.name());
  }
  return (*maker)(options).WithContext("optimizer " + key);
}

std::string Describe(const PartTable& table) {
  return "dim " + std::to_string(table.dim) + (table.first_order == 1 ? " with" : " without") +
         " first-order weight, optimizer " + table.optimizer + " with " +
         std::to_string(table.state_size) + " values of state";
}

Status OtherModel(const std::string& what, const std::string& saved, const std::string& ours) {
  return FailedPreconditionError("the save point holds another model: " + what + " is " + saved +
                                 " there and " + ours + " in the job");
}

// Floats at an address that need not be aligned.
std::vector<float> ToFloats(std::string_view bytes) {
  std::vector<float> floats(bytes.size() / sizeof(float));
  if (!floats.empty()) std::memcpy(floats.data(), bytes.data(), bytes.size());
  return floats;
}

// Which of the own shards have been met in a part.
class ShardCover {
 public:
  explicit ShardCover(jobspec::ShardRange own) : own_(own) {}

  Status Add(jobspec::ShardRange range) {
    for (uint32_t shard = std::max(own_.first, range.first);
         shard <= std::min(own_.last, range.last); ++shard) {
      if (seen_[shard]) return DataLossError("shard " + std::to_string(shard) + " is in two parts");
      seen_[shard] = true;
    }
    return OkStatus();
  }
  Status CheckWhole() const {
    for (uint32_t shard = own_.first; shard <= own_.last; ++shard) {
      if (!seen_[shard]) return DataLossError("shard " + std::to_string(shard) + " is in no part");
    }
    return OkStatus();
  }

 private:
  const jobspec::ShardRange own_;
  std::array<bool, jobspec::kShards> seen_{};
};

}  // namespace

Result<std::unique_ptr<ShardStore>> SlabStore::Create(const jobspec::ModelPlan& plan,
                                                      jobspec::ShardRange shards,
                                                      const OptimizerSlots& slots) {
  std::unique_ptr<SlabStore> store(new SlabStore);
  store->shards_ = shards;
  store->header_.shards = shards;
  store->header_.dense_values = plan.dense_values();
  store->header_.dense_optimizer = plan.dense_optimizer;
  for (const jobspec::TableSpec& spec : plan.tables) {
    PRIMUS_ASSIGN(auto optimizer,
                  MakeOptimizer(slots.tables, spec.optimizer, spec.optimizer_options));
    store->tables_.emplace_back(spec, plan.seed, *optimizer);
    store->optimizers_.push_back(std::move(optimizer));
    store->header_.tables.push_back({.name = spec.name,
                                     .dim = spec.dim,
                                     .first_order = spec.first_order ? 1U : 0U,
                                     .optimizer = spec.optimizer,
                                     .state_size = store->tables_.back().state_size()});
  }
  // Without dense parameters there need be no optimizer for them.
  std::unique_ptr<const Optimizer> dense = std::make_unique<NoOptimizer>();
  if (plan.dense_values() > 0) {
    PRIMUS_ASSIGN(dense,
                  MakeOptimizer(slots.dense, plan.dense_optimizer, plan.dense_optimizer_options));
  }
  store->dense_ = std::make_unique<DenseVector>(plan, shards, *dense);
  store->optimizers_.push_back(std::move(dense));
  return std::unique_ptr<ShardStore>(std::move(store));
}

Status SlabStore::CheckKeys(uint32_t table, std::span<const uint64_t> keys) const {
  if (table >= tables_.size()) {
    return InvalidArgumentError("no table " + std::to_string(table) + ", there are " +
                                std::to_string(tables_.size()));
  }
  for (const uint64_t key : keys) {
    const uint32_t shard = jobspec::ShardOfKey(key);
    if (Owns(shards_, shard)) continue;
    return InvalidArgumentError("table " + header_.tables[table].name + ": key " +
                                std::to_string(key) + " is in shard " + std::to_string(shard) +
                                ", here are shards " + std::to_string(shards_.first) + " to " +
                                std::to_string(shards_.last));
  }
  if (!tables_[table].HasRoomFor(keys.size())) {
    return ResourceExhaustedError("table " + header_.tables[table].name +
                                  " is full on this ps: run more of them");
  }
  return OkStatus();
}

Status SlabStore::Pull(std::span<const TableKeys> tables, Absent absent, std::span<float> out) {
  uint64_t values = 0;
  for (const TableKeys& asked : tables) {
    PRIMUS_TRY(CheckKeys(asked.table, asked.keys));
    values += asked.keys.size() * tables_[asked.table].spec().width();
  }
  if (values != out.size()) return InvalidArgumentError("room for another number of values");
  float* to = out.data();
  for (const TableKeys& asked : tables) {
    SlabTable& table = tables_[asked.table];
    table.Pull(asked.keys, absent, to);
    to += asked.keys.size() * table.spec().width();
  }
  return OkStatus();
}

void SlabStore::PullDense(std::span<float> out) const {
  PRIMUS_CHECK(out.size() == dense_->size(), "room for all dense values");
  dense_->Pull(out.data());
}

Status SlabStore::CheckGradients(const TableGradients& gradients) const {
  PRIMUS_TRY(CheckKeys(gradients.table, gradients.keys));
  const std::size_t width = tables_[gradients.table].spec().width();
  if (gradients.gradients.size() != gradients.keys.size() * width) {
    return InvalidArgumentError("table " + header_.tables[gradients.table].name + ": " +
                                std::to_string(gradients.gradients.size()) + " gradients for " +
                                std::to_string(gradients.keys.size()) + " keys of width " +
                                std::to_string(width));
  }
  const std::size_t bad = FindNonFinite(gradients.gradients);
  if (bad == gradients.gradients.size()) return OkStatus();
  return InvalidArgumentError("table " + header_.tables[gradients.table].name +
                              ": gradient of key " + std::to_string(gradients.keys[bad / width]) +
                              " is not finite: " + std::to_string(gradients.gradients[bad]));
}

Status SlabStore::Push(std::span<const TableGradients> tables, std::span<const float> dense) {
  for (const TableGradients& gradients : tables) PRIMUS_TRY(CheckGradients(gradients));
  if (!dense.empty() && dense.size() != dense_->size()) {
    return InvalidArgumentError(std::to_string(dense.size()) + " dense gradients, here are " +
                                std::to_string(dense_->size()) + " dense values");
  }
  const std::size_t bad = FindNonFinite(dense);
  if (bad != dense.size()) {
    return InvalidArgumentError("dense gradient " + std::to_string(bad) +
                                " of this ps is not finite: " + std::to_string(dense[bad]));
  }
  for (const TableGradients& gradients : tables) {
    tables_[gradients.table].Push(gradients.keys, gradients.gradients.data());
  }
  if (!dense.empty()) dense_->Push(dense.data());
  return OkStatus();
}

std::shared_ptr<const FrozenStore> SlabStore::Freeze() {
  std::vector<FrozenTable> tables;
  for (SlabTable& table : tables_) tables.push_back(table.Freeze());
  return std::make_shared<FrozenSlabs>(header_, std::move(tables), dense_->blocks());
}

Status SlabStore::Restore(const PartSource& next_part) {
  ShardCover cover(shards_);
  while (true) {
    PRIMUS_ASSIGN(const std::optional<std::string> bytes, next_part());
    if (!bytes) break;
    PRIMUS_ASSIGN(const PartReader part, PartReader::Open(*bytes));
    PRIMUS_TRY(CheckPlan(part.header()));
    PRIMUS_TRY(cover.Add(part.header().shards));
    for (const PartBlock& block : part.blocks()) {
      if (Owns(shards_, block.shard)) PRIMUS_TRY(LoadBlock(block));
    }
  }
  return cover.CheckWhole();
}

Status SlabStore::CheckPlan(const PartHeader& header) const {
  if (header.tables.size() != header_.tables.size()) {
    return OtherModel("the number of tables", std::to_string(header.tables.size()),
                      std::to_string(header_.tables.size()));
  }
  for (std::size_t i = 0; i < header_.tables.size(); ++i) {
    const PartTable& saved = header.tables[i];
    const PartTable& ours = header_.tables[i];
    const std::string ordinal = std::to_string(i);
    if (saved.name != ours.name) return OtherModel("table " + ordinal, saved.name, ours.name);
    if (Describe(saved) != Describe(ours)) {
      return OtherModel("table " + ours.name, Describe(saved), Describe(ours));
    }
  }
  if (header.dense_values != header_.dense_values) {
    return OtherModel("the number of dense values", std::to_string(header.dense_values),
                      std::to_string(header_.dense_values));
  }
  if (header.dense_optimizer != header_.dense_optimizer) {
    return OtherModel("the dense optimizer", header.dense_optimizer, header_.dense_optimizer);
  }
  return OkStatus();
}

Status SlabStore::LoadBlock(const PartBlock& block) {
  const std::vector<float> values = ToFloats(block.values);
  const std::vector<float> states = ToFloats(block.states);
  if (block.kind == PartBlockKind::kRows) {
    std::vector<uint64_t> keys(block.count);
    for (std::size_t row = 0; row < keys.size(); ++row) keys[row] = PartReader::Key(block, row);
    SlabTable& table = tables_[block.table];
    if (!table.HasRoomFor(keys.size())) {
      return ResourceExhaustedError("table " + table.spec().name + " does not fit in this ps");
    }
    table.Load(keys, values.data(), states.data());
    return OkStatus();
  }
  DenseBlock* ours = dense_->Find(block.number);
  PRIMUS_CHECK(ours != nullptr, "a dense block of an own shard lives here");
  if (states.size() != dense_->StateSize(*ours)) {
    return OtherModel("the state of a dense block", std::to_string(states.size()) + " values",
                      std::to_string(dense_->StateSize(*ours)) + " values");
  }
  auto* floats = reinterpret_cast<float*>(ours->page.Writable());
  std::copy(values.begin(), values.end(), floats);
  std::copy(states.begin(), states.end(), floats + ours->size);
  ours->steps = block.steps;
  return OkStatus();
}

StoreStatistics SlabStore::Statistics() const {
  StoreStatistics statistics{.tables = {}, .bytes = dense_->bytes()};
  for (const SlabTable& table : tables_) {
    statistics.tables.push_back({table.spec().name, table.rows()});
    statistics.bytes += table.bytes();
  }
  return statistics;
}

}  // namespace primus::embedding
