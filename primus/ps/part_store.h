// What a ps does with part files in the blob store: writes its own for a cut, reads those of a save
// point. Both block and are heavy: they run in a thread pool, and give up early once nobody wants
// their result.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "primus/base/result.h"
#include "primus/embedding/shard_store.h"
#include "primus/jobspec/model_plan.h"
#include "primus/ps/ps_core.h"
#include "primus/store/blob_store.h"

namespace primus::ps {

// Set on the loop, seen by the work.
using Abandoned = std::atomic<bool>;

struct PartReference {
  std::string name;
  uint64_t size = 0;
  uint32_t crc32c = 0;
  jobspec::ShardRange shards;
};

struct WritePartWork {
  std::shared_ptr<const embedding::FrozenStore> frozen;  // let go once it is encoded
  embedding::PartOrigin origin;
  std::string name;
  std::shared_ptr<const Abandoned> abandoned;
};

// Durable when it returns OK. An outcome that was unknown has been read back.
Result<WrittenPart> WritePart(store::BlobStore& blobs, WritePartWork work);

struct LoadWork {
  std::vector<PartReference> parts;  // of the save point; none: a fresh model
  jobspec::ShardRange shards;        // the own ones
  embedding::ShardStoreMaker new_store;
  std::shared_ptr<const Abandoned> abandoned;
};

// A new store with the model of the parts, of which only those with own shards are read, one at a
// time. kDataLoss when a part is not there or not what the manifest says.
Result<std::unique_ptr<embedding::ShardStore>> LoadParts(store::BlobStore& blobs,
                                                         const LoadWork& work);

}  // namespace primus::ps
