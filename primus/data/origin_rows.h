// Reading an origin's files as the plan expects them, with its operators applied.
#pragma once

#include <memory>
#include <string>

#include "primus/data/chain_plan.h"
#include "primus/data/row_origin.h"
#include "primus/data/source_store.h"

namespace arrow {
class RecordBatch;
}  // namespace arrow

namespace primus::data {

// That the file has the plan's columns with the plan's types; kInvalidArgument names file, column
// and what was expected.
Status CheckFileSchema(const TableFile& file, const OriginPlan& plan, const std::string& path);

// Dictionary-encoded columns as plain ones.
Result<std::shared_ptr<arrow::RecordBatch>> DecodeColumns(const arrow::RecordBatch& batch);

// The batch with the origin's computed columns added.
Result<std::shared_ptr<arrow::RecordBatch>> ApplyOperators(
    const OriginPlan& plan, std::shared_ptr<arrow::RecordBatch> batch, const RowOrigin& origin);

}  // namespace primus::data
