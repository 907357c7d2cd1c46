#include "primus/sim/store.h"

#include "primus/store/blob_store_conformance.h"

namespace primus::store {
namespace {

// What another process has of the same blobs.
class View final : public BlobStore {
 public:
  explicit View(BlobStore& blobs) : blobs_(blobs) {}
  Status PutIfAbsent(std::string_view name, std::string_view bytes) override {
    return blobs_.PutIfAbsent(name, bytes);
  }
  Result<std::string> Get(std::string_view name) override { return blobs_.Get(name); }
  Result<std::string> GetRange(std::string_view name, uint64_t offset, uint64_t size) override {
    return blobs_.GetRange(name, offset, size);
  }
  Result<std::vector<BlobInfo>> List(std::string_view prefix) override {
    return blobs_.List(prefix);
  }
  Status Delete(std::string_view name) override { return blobs_.Delete(name); }

 private:
  BlobStore& blobs_;
};

class SimStoreWorld final : public BlobStoreWorld {
 public:
  BlobStore& store() override { return blobs_; }
  std::unique_ptr<BlobStore> Reopen() override { return std::make_unique<View>(blobs_); }

 private:
  sim::World world_{1};
  sim::Faults faults_;
  sim::Blobs blobs_{world_, faults_};
};

std::unique_ptr<BlobStoreWorld> MakeSimWorld() { return std::make_unique<SimStoreWorld>(); }

INSTANTIATE_TEST_SUITE_P(Sim, BlobStoreConformance, testing::Values(&MakeSimWorld));

}  // namespace
}  // namespace primus::store
