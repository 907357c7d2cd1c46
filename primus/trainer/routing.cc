#include "primus/trainer/routing.h"

#include <cstring>
#include <span>

#include "primus/embedding/dense_layout.h"

#include "proto/wire/parameters.pb.h"

namespace primus::trainer {
namespace {

template <class T>
void Append(std::span<const T> values, std::string& payload) {
  payload.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
}

std::size_t KeysOf(const KeyRoute& route, uint32_t ps) {
  std::size_t keys = 0;
  for (const std::vector<uint32_t>& places : route[ps]) keys += places.size();
  return keys;
}

template <class Request>
void WriteKeys(const train::BatchKeys& keys,
               const std::vector<std::vector<uint32_t>>& places_by_table, Request* request,
               std::string& payload) {
  for (uint32_t table = 0; table < places_by_table.size(); ++table) {
    const std::vector<uint32_t>& places = places_by_table[table];
    if (places.empty()) continue;
    wire::TableCount* count = request->add_tables();
    count->set_table(table);
    count->set_keys(static_cast<uint32_t>(places.size()));
    for (const uint32_t place : places) {
      Append(std::span<const uint64_t>(&keys.unique[table][place], 1), payload);
    }
  }
}

}  // namespace

Routing::Routing(const jobspec::ModelPlan& plan, uint32_t ps_count)
    : dense_values_(plan.dense_values()), dense_(ps_count) {
  for (const jobspec::TableSpec& table : plan.tables) widths_.push_back(table.width());
  for (uint32_t ps = 0; ps < ps_count; ++ps) {
    const jobspec::ShardRange shards = jobspec::ShardsOfPs(ps, ps_count);
    for (const uint64_t block : embedding::DenseBlocksOf(dense_values_, shards)) {
      dense_[ps].push_back({.begin = block * jobspec::kDenseBlock,
                            .size = embedding::DenseBlockSize(dense_values_, block)});
    }
  }
}

uint64_t Routing::DenseValuesOf(uint32_t ps) const {
  uint64_t sum = 0;
  for (const Stretch& stretch : dense_[ps]) sum += stretch.size;
  return sum;
}

KeyRoute Routing::RouteKeys(const train::BatchKeys& keys) const {
  KeyRoute route(ps_count(), std::vector<std::vector<uint32_t>>(keys.unique.size()));
  for (uint32_t table = 0; table < keys.unique.size(); ++table) {
    const std::vector<uint64_t>& unique = keys.unique[table];
    for (uint32_t place = 0; place < unique.size(); ++place) {
      const uint32_t shard = jobspec::ShardOfKey(unique[place]);
      route[jobspec::PsOfShard(shard, ps_count())][table].push_back(place);
    }
  }
  return route;
}

Parameters Routing::MakeRoom(const train::BatchKeys& keys) const {
  Parameters room;
  for (std::size_t table = 0; table < keys.unique.size(); ++table) {
    room.rows.emplace_back(keys.unique[table].size() * widths_[table]);
  }
  room.dense.resize(dense_values_);
  return room;
}

std::string Routing::WritePull(const train::BatchKeys& keys, const KeyRoute& route, uint32_t ps,
                               wire::PullRequest* request) const {
  std::string payload;
  payload.reserve(KeysOf(route, ps) * sizeof(uint64_t));
  WriteKeys(keys, route[ps], request, payload);
  request->set_dense(!dense_[ps].empty());
  return payload;
}

Status Routing::ReadPull(const KeyRoute& route, uint32_t ps, const PullAnswer& answer,
                         Parameters* into) const {
  uint64_t floats = DenseValuesOf(ps);
  for (std::size_t table = 0; table < route[ps].size(); ++table) {
    floats += route[ps][table].size() * widths_[table];
  }
  if (answer.payload.size() != floats * sizeof(float) ||
      answer.response.dense_values() != DenseValuesOf(ps)) {
    return DataLossError("a pull of " + std::to_string(floats) + " values was answered with " +
                         std::to_string(answer.payload.size()) + " bytes, " +
                         std::to_string(answer.response.dense_values()) + " dense values");
  }
  const char* from = answer.payload.data();
  const auto take = [&from](float* to, uint64_t count) {
    std::memcpy(to, from, count * sizeof(float));
    from += count * sizeof(float);
  };
  for (std::size_t table = 0; table < route[ps].size(); ++table) {
    const std::size_t width = widths_[table];
    for (const uint32_t place : route[ps][table]) {
      take(into->rows[table].data() + place * width, width);
    }
  }
  for (const Stretch& stretch : dense_[ps]) take(into->dense.data() + stretch.begin, stretch.size);
  return OkStatus();
}

std::string Routing::WritePush(const PushContent& content, uint32_t ps,
                               wire::PushRequest* request) const {
  std::string payload;
  WriteKeys(content.keys, content.route[ps], request, payload);
  for (std::size_t table = 0; table < widths_.size(); ++table) {
    const std::size_t width = widths_[table];
    const std::span<const float> gradients(content.gradients[table]);
    for (const uint32_t place : content.route[ps][table]) {
      Append(gradients.subspan(place * width, width), payload);
    }
  }
  request->set_dense_values(static_cast<uint32_t>(DenseValuesOf(ps)));
  const std::span<const float> dense(content.dense_gradient);
  for (const Stretch& stretch : dense_[ps]) {
    Append(dense.subspan(stretch.begin, stretch.size), payload);
  }
  return payload;
}

}  // namespace primus::trainer
