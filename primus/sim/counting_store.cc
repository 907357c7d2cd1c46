#include "primus/sim/counting_store.h"

#include <cmath>
#include <sstream>

namespace primus::sim {
namespace {

class FrozenCounts final : public embedding::FrozenStore {
 public:
  FrozenCounts(jobspec::ShardRange shards, KeyCounts counts)
      : shards_(shards), counts_(std::move(counts)) {}
  std::string EncodePart(const embedding::PartOrigin& /*origin*/) const override {
    std::ostringstream out;
    out << "counts " << shards_.first << ' ' << shards_.last << ' ' << counts_.size() << '\n';
    for (const auto& [key, count] : counts_) out << key << ' ' << count << '\n';
    return out.str();
  }

 private:
  jobspec::ShardRange shards_;
  KeyCounts counts_;
};

}  // namespace

Status CountingStore::CheckKeys(std::span<const uint64_t> keys) const {
  for (const uint64_t key : keys) {
    const uint32_t shard = jobspec::ShardOfKey(key);
    if (shard < shards_.first || shard > shards_.last) {
      return InvalidArgumentError("a key of another shard range: " + std::to_string(key));
    }
  }
  return OkStatus();
}

Status CountingStore::Pull(std::span<const embedding::TableKeys> tables, embedding::Absent absent,
                           std::span<float> out) {
  for (const embedding::TableKeys& table : tables) PRIMUS_TRY(CheckKeys(table.keys));
  std::size_t next = 0;
  for (const embedding::TableKeys& table : tables) {
    for (const uint64_t key : table.keys) {
      if (absent == embedding::Absent::kCreate) counts_.try_emplace(key, 0);
      const auto it = counts_.find(key);
      out[next++] = it == counts_.end() ? 0 : static_cast<float>(it->second);
    }
  }
  return OkStatus();
}

void CountingStore::PullDense(std::span<float> /*out*/) const {}

Status CountingStore::Push(std::span<const embedding::TableGradients> tables,
                           std::span<const float> /*dense*/) {
  for (const embedding::TableGradients& table : tables) PRIMUS_TRY(CheckKeys(table.keys));
  for (const embedding::TableGradients& table : tables) {
    for (std::size_t i = 0; i < table.keys.size(); ++i) {
      counts_[table.keys[i]] -= std::lround(table.gradients[i]);
    }
  }
  return OkStatus();
}

std::shared_ptr<const embedding::FrozenStore> CountingStore::Freeze() {
  return std::make_shared<FrozenCounts>(shards_, counts_);
}

Status CountingStore::Restore(const embedding::PartSource& next_part) {
  counts_.clear();
  while (true) {
    PRIMUS_ASSIGN(const std::optional<std::string> part, next_part());
    if (!part) break;
    PRIMUS_TRY(ReadPart(*part, &counts_));
  }
  std::erase_if(counts_, [this](const auto& entry) {
    const uint32_t shard = jobspec::ShardOfKey(entry.first);
    return shard < shards_.first || shard > shards_.last;
  });
  return OkStatus();
}

embedding::StoreStatistics CountingStore::Statistics() const {
  return {.tables = {{"row", counts_.size()}}, .bytes = 0};
}

Status CountingStore::ReadPart(const std::string& bytes, KeyCounts* counts) {
  std::istringstream in(bytes);
  std::string word;
  uint32_t first = 0;
  uint32_t last = 0;
  std::size_t entries = 0;
  if (!(in >> word >> first >> last >> entries) || word != "counts") {
    return DataLossError("not a part of counts");
  }
  for (std::size_t i = 0; i < entries; ++i) {
    uint64_t key = 0;
    int64_t count = 0;
    if (!(in >> key >> count)) return DataLossError("a part of counts is cut short");
    (*counts)[key] = count;
  }
  return OkStatus();
}

}  // namespace primus::sim
