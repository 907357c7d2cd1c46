// Features of the rows of one origin, encoded: by feature, one entry a row.
//
// Values. Columns are those of an OriginEncoder, in its order.
#pragma once

#include <cstddef>
#include <vector>

#include "primus/base/result.h"
#include "primus/batch/encoded_rows.h"
#include "primus/data/chain_plan.h"
#include "primus/data/feature_encoder.h"

namespace primus::data {

struct EncodedTable {
  std::vector<batch::KeyColumn> keys;
  std::vector<std::vector<float>> dense;
};

// The features of an origin, with where each stands in batch::EncodedRows.
class OriginEncoder {
 public:
  OriginEncoder(const ChainPlan& plan, std::size_t origin);

  // Appends the selected rows.
  Status Append(const RowSelection& selection, EncodedTable& table) const;

  struct Feature {
    FeatureEncoder encoder;
    std::size_t target;  // ordinal in EncodedRows::keys or ::dense
  };
  const std::vector<Feature>& key_features() const { return keys_; }
  const std::vector<Feature>& dense_features() const { return dense_; }

 private:
  std::vector<Feature> keys_;
  std::vector<Feature> dense_;
};

}  // namespace primus::data
