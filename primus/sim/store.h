// The simulated blob store: one for all processes of a world. A put fails with nothing written,
// fails although it was written, or meets a full disk, and a deletion fails, as `Faults` says. What
// a killed process had under way was never written.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "primus/sim/faults.h"
#include "primus/sim/world.h"
#include "primus/store/blob_store.h"

namespace primus::sim {

class Blobs final : public store::BlobStore {
 public:
  Blobs(World& world, Faults& faults) : world_(world), faults_(faults) {}

  Status PutIfAbsent(std::string_view name, std::string_view bytes) override;
  Result<std::string> Get(std::string_view name) override;
  Result<std::string> GetRange(std::string_view name, uint64_t offset, uint64_t size) override;
  Result<std::vector<store::BlobInfo>> List(std::string_view prefix) override;
  Status Delete(std::string_view name) override;

  // Called after each put that took effect, whatever its caller hears of it, and each deletion
  // (`bytes` null). Replaces the former observer.
  using Observer = std::function<void(const std::string& name, const std::string* bytes)>;
  void OnChange(Observer observer) { observer_ = std::move(observer); }
  // What is there, without any fault; null if nothing is.
  const std::string* Find(std::string_view name) const;
  const std::map<std::string, std::string, std::less<>>& blobs() const { return blobs_; }

 private:
  bool Draw(double probability, const char* name);

  World& world_;
  Faults& faults_;
  std::map<std::string, std::string, std::less<>> blobs_;
  Duration full_until_{0};
  Observer observer_;
};

}  // namespace primus::sim
