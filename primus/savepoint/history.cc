#include "primus/savepoint/history.h"

#include <algorithm>

#include "primus/savepoint/record.h"

#include "proto/wire/record.pb.h"

namespace primus::savepoint {

History::History(uint32_t keep_last) : keep_last_(std::max(keep_last, 1U)) {}

History::~History() = default;

void History::Append(const wire::Record& record) {
  if (record.number() <= newest_) return;
  newest_ = record.number();
  if (record.has_begin()) {
    const wire::Begin& begin = record.begin();
    if (begin.attempt() <= attempt_) begins_.insert(record.number());
    attempt_ = std::max(attempt_, begin.attempt());
    view_ = std::max(view_, begin.view());
    save_point_ = begin.from_record();
    return;
  }
  const wire::Manifest& manifest = record.manifest();
  attempt_ = std::max(attempt_, manifest.attempt());
  view_ = std::max(view_, manifest.view());
  cut_ = std::max(cut_, manifest.cut());
  save_point_ = record.number();
  manifests_[record.number()] = std::make_shared<const wire::Manifest>(manifest);
}

Status History::Check() const {
  if (save_point_ == 0 || manifests_.contains(save_point_)) return OkStatus();
  return DataLossError("record " + std::to_string(newest_) + " returns to save point " +
                       std::to_string(save_point_) + ", which is not there");
}

const wire::Manifest* History::manifest() const {
  const auto it = manifests_.find(save_point_);
  return it == manifests_.end() ? nullptr : it->second.get();
}

std::vector<uint64_t> History::Kept() const {
  std::vector<uint64_t> kept;
  uint32_t intervals = 0;
  for (auto it = manifests_.rbegin(); it != manifests_.rend(); ++it) {
    const bool by_count = !it->second->keep() && intervals++ < keep_last_;
    if (it->second->keep() || by_count || it->first == save_point_) kept.push_back(it->first);
  }
  return kept;
}

std::vector<uint64_t> History::Superseded() const {
  const std::vector<uint64_t> kept = Kept();
  std::vector<uint64_t> superseded;
  for (const auto& [number, manifest] : manifests_) {
    if (std::find(kept.begin(), kept.end(), number) == kept.end()) superseded.push_back(number);
  }
  for (const uint64_t number : begins_) {
    if (number != newest_) superseded.push_back(number);
  }
  return superseded;
}

void History::Forget(const std::vector<uint64_t>& numbers) {
  for (const uint64_t number : numbers) {
    manifests_.erase(number);
    begins_.erase(number);
  }
}

bool History::PartIsGarbage(std::string_view name) const {
  const std::optional<PartName> part = ParsePartName(name);
  const wire::Manifest* newest = manifest();
  if (!part || newest == nullptr) return false;
  const auto age = std::pair(part->attempt, part->cut);
  if (age >= std::pair(newest->attempt(), newest->cut())) return false;
  return std::none_of(manifests_.begin(), manifests_.end(), [name](const auto& entry) {
    const auto& parts = entry.second->parts();
    return std::any_of(parts.begin(), parts.end(),
                       [name](const wire::Part& p) { return p.name() == name; });
  });
}

}  // namespace primus::savepoint
