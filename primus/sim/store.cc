#include "primus/sim/store.h"

#include "primus/store/blob_name.h"

namespace primus::sim {

bool Blobs::Draw(double probability, const char* name) {
  if (probability <= 0 || world_.random().NextUnit() >= probability) return false;
  faults_.hits.Hit(name);
  return true;
}

Status Blobs::PutIfAbsent(std::string_view name, std::string_view bytes) {
  PRIMUS_TRY(store::CheckBlobName(name));
  if (Draw(faults_.disk_full, "store.disk full")) {
    full_until_ =
        world_.now() + Milliseconds(200 + static_cast<int64_t>(world_.random().Below(3000)));
  }
  if (world_.now() < full_until_) {
    return ResourceExhaustedError("no space left on device: " + std::string(name));
  }
  if (Draw(faults_.put_fails, "store.put fails")) {
    return UnavailableError("input/output error: " + std::string(name));
  }
  const auto [it, put] = blobs_.emplace(name, bytes);
  if (!put) return AlreadyExistsError("the blob exists: " + std::string(name));
  if (observer_) observer_(it->first, &it->second);
  if (Draw(faults_.put_unknown, "store.put unknown")) {
    return UnavailableError("outcome unknown: " + std::string(name));
  }
  return OkStatus();
}

Result<std::string> Blobs::Get(std::string_view name) {
  PRIMUS_TRY(store::CheckBlobName(name));
  const auto it = blobs_.find(name);
  if (it == blobs_.end()) return NotFoundError("no blob " + std::string(name));
  return it->second;
}

Result<std::string> Blobs::GetRange(std::string_view name, uint64_t offset, uint64_t size) {
  PRIMUS_ASSIGN(const std::string bytes, Get(name));
  if (offset > bytes.size() || size > bytes.size() - offset) {
    return OutOfRangeError("blob " + std::string(name) + " is shorter");
  }
  return bytes.substr(offset, size);
}

Result<std::vector<store::BlobInfo>> Blobs::List(std::string_view prefix) {
  std::vector<store::BlobInfo> found;
  for (auto it = blobs_.lower_bound(prefix); it != blobs_.end() && it->first.starts_with(prefix);
       ++it) {
    found.push_back({it->first, it->second.size()});
  }
  return found;
}

Status Blobs::Delete(std::string_view name) {
  PRIMUS_TRY(store::CheckBlobName(name));
  if (Draw(faults_.delete_fails, "store.delete fails")) {
    return UnavailableError("input/output error: " + std::string(name));
  }
  const auto it = blobs_.find(name);
  if (it == blobs_.end()) return OkStatus();
  const auto deleted = blobs_.extract(it);
  if (observer_) observer_(deleted.key(), nullptr);
  return OkStatus();
}

const std::string* Blobs::Find(std::string_view name) const {
  const auto it = blobs_.find(name);
  return it == blobs_.end() ? nullptr : &it->second;
}

}  // namespace primus::sim
