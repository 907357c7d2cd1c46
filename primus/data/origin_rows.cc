#include "primus/data/origin_rows.h"

#include <arrow/array.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>

#include <utility>
#include <vector>

#include "primus/data/arrow_status.h"
#include "primus/data/discrete_values.h"

namespace primus::data {

Status CheckFileSchema(const TableFile& file, const OriginPlan& plan, const std::string& path) {
  for (const auto& expected : plan.schema->fields()) {
    const std::string& name = expected->name();
    const std::string wanted = name + " (" + expected->type()->ToString() +
                               " in the first file of source " + plan.source + ")";
    const std::vector<int> found = file.schema()->GetAllFieldIndices(name);
    if (found.empty()) return InvalidArgumentError(path + " has no column " + wanted);
    if (found.size() > 1) return InvalidArgumentError(path + " has two columns " + name);
    const auto type = DecodedType(file.schema()->field(found.front())->type());
    if (!type->Equals(*expected->type())) {
      return InvalidArgumentError(path + " has another type, " + type->ToString() +
                                  ", for column " + wanted);
    }
  }
  return OkStatus();
}

Result<std::shared_ptr<arrow::RecordBatch>> DecodeColumns(const arrow::RecordBatch& batch) {
  arrow::FieldVector fields;
  arrow::ArrayVector columns;
  for (int i = 0; i < batch.num_columns(); ++i) {
    PRIMUS_ASSIGN(std::shared_ptr<arrow::Array> column, DecodeDictionary(batch.column(i)));
    fields.push_back(arrow::field(batch.column_name(i), column->type()));
    columns.push_back(std::move(column));
  }
  return arrow::RecordBatch::Make(arrow::schema(std::move(fields)), batch.num_rows(),
                                  std::move(columns));
}

Result<std::shared_ptr<arrow::RecordBatch>> ApplyOperators(
    const OriginPlan& plan, std::shared_ptr<arrow::RecordBatch> batch, const RowOrigin& origin) {
  for (const auto& op : plan.operators) {
    std::vector<std::shared_ptr<arrow::Array>> inputs;
    for (const std::string& name : op->inputs()) inputs.push_back(batch->GetColumnByName(name));
    PRIMUS_ASSIGN(std::shared_ptr<arrow::Array> output, op->Apply(inputs, origin));
    PRIMUS_ASSIGN(batch, FromArrow(batch->AddColumn(batch->num_columns(), op->output(), output)));
  }
  return batch;
}

}  // namespace primus::data
