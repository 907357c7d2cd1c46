// Columns as features: keys, dense floats and labels, with every refusal naming file and row.
//
// Immutable, any thread. `rows` chooses and orders the rows that are encoded; results are appended,
// one entry a row.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "primus/base/result.h"
#include "primus/batch/encoded_rows.h"
#include "primus/data/key_hash.h"
#include "primus/data/row_origin.h"
#include "primus/jobspec/model_plan.h"

namespace arrow {
class Array;
class DataType;
class RecordBatch;
}  // namespace arrow

namespace primus::data {

// Whether a column of this type can serve the feature; kInvalidArgument says what would.
Status CheckFeatureType(const jobspec::FeatureSpec& feature, const std::string& column,
                        const arrow::DataType& type);
Status CheckLabelType(const std::string& column, const arrow::DataType& type);

// A batch with the rows of it that count and where they come from.
struct RowSelection {
  const arrow::RecordBatch* batch = nullptr;
  std::span<const int64_t> rows;
  const RowOrigin* origin = nullptr;
};

class FeatureEncoder {
 public:
  // `table` is the name of the feature's table; ignored by dense features.
  FeatureEncoder(jobspec::FeatureSpec spec, const std::string& table);

  const jobspec::FeatureSpec& spec() const { return spec_; }
  bool is_dense() const { return spec_.source == jobspec::FeatureSource::kDense; }

  // Null gives no key. Key features only.
  Status AppendKeys(const RowSelection& selection, batch::KeyColumn& keys) const;
  // Null gives the value for missing, or an error where none was named; NaN and infinity are
  // errors. Dense features only.
  Status AppendDense(const RowSelection& selection, std::vector<float>& values) const;

 private:
  Status AppendCategory(const RowSelection& selection, batch::KeyColumn& keys) const;
  Status AppendMultiHot(const RowSelection& selection, batch::KeyColumn& keys) const;

  jobspec::FeatureSpec spec_;
  TableKeys table_;
  std::vector<uint64_t> hot_;  // multi-hot: the key of each column
};

// Labels must be 0 or 1.
Status AppendLabels(const RowSelection& selection, const std::string& column,
                    std::vector<float>& labels);

}  // namespace primus::data
