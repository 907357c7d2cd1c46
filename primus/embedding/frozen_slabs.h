// The frozen copy of a SlabStore, and how it becomes a part file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "primus/embedding/dense_vector.h"
#include "primus/embedding/part_file.h"
#include "primus/embedding/part_writer.h"
#include "primus/embedding/shard_store.h"
#include "primus/embedding/slab_table.h"

namespace primus::embedding {

class FrozenSlabs final : public FrozenStore {
 public:
  FrozenSlabs(PartHeader header, std::vector<FrozenTable> tables, std::vector<DenseBlock> dense)
      : header_(std::move(header)), tables_(std::move(tables)), dense_(std::move(dense)) {}

  std::string EncodePart(const PartOrigin& origin) const override;

 private:
  std::size_t BytesExpected() const;

  const PartHeader header_;
  const std::vector<FrozenTable> tables_;  // in the order of the header
  const std::vector<DenseBlock> dense_;
};

}  // namespace primus::embedding
