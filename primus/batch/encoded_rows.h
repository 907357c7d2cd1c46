// Rows as a model sees them: labels, keys and dense values by feature, each row with the
// coordinate it came from. What a RowStream yields and a minibatch is cut from.
//
// All rows come from one task. The layout (order and kind of features) is the job's and the same
// everywhere; its hash is in every Hello.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "primus/base/ids.h"
#include "primus/batch/coverage.h"

namespace primus::batch {

enum class FeatureKind : uint8_t {
  kKeys = 0,   // none, one or several keys a row
  kDense = 1,  // one float a row
};

struct FeatureLayout {
  std::string name;
  FeatureKind kind = FeatureKind::kKeys;
  bool operator==(const FeatureLayout&) const = default;
};

struct Layout {
  std::vector<FeatureLayout> features;
  bool operator==(const Layout&) const = default;
};

// XXH3-64 over names and kinds in order.
uint64_t Hash(const Layout& layout);

struct KeyColumn {
  std::vector<uint32_t> offsets;  // rows + 1; row i has keys [offsets[i], offsets[i + 1])
  std::vector<uint64_t> keys;
};

struct EncodedRows {
  TaskId task = 0;
  std::vector<uint64_t> positions;        // one a row, any order, distinct
  std::vector<float> labels;              // one a row
  std::vector<KeyColumn> keys;            // the features of kind kKeys, in layout order
  std::vector<std::vector<float>> dense;  // the features of kind kDense, in layout order
  std::vector<Span> skipped;              // positions of this task that yield no row, by kind

  std::size_t rows() const { return positions.size(); }
};

}  // namespace primus::batch
