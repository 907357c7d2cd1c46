// A column made of columns: the seam of plugins/operators.
//
// An operator works row by row: row i of its output depends on row i of its inputs (and options)
// alone, and a null in any input gives null. The chain relies on both: it applies an operator
// whose inputs all come from one dimension to the dimension's rows, once, instead of to every row
// joined with them. Immutable, any thread. Conformance suite: operator_conformance.h.
#pragma once

#include <arrow/type_fwd.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "primus/base/result.h"
#include "primus/config/slot.h"
#include "primus/data/row_origin.h"

namespace primus::data {

// What an operator may know of the column that carries its source's event time.
struct OperatorContext {
  std::string event_time_column;  // empty: the stream's base source has none
  arrow::TimeUnit::type event_time_unit = arrow::TimeUnit::SECOND;
};

class Operator {
 public:
  virtual ~Operator() = default;
  virtual const std::vector<std::string>& inputs() const = 0;
  // The name of the column that it adds.
  virtual const std::string& output() const = 0;
  // The type of the output given the inputs' types, in order; kInvalidArgument names the column,
  // its type and what would do.
  virtual Result<std::shared_ptr<arrow::DataType>> Check(
      const std::vector<std::shared_ptr<arrow::DataType>>& types) const = 0;
  // `columns` are the inputs in order, of types that Check accepted and of equal length. An error
  // about a value says origin.At(row).
  virtual Result<std::shared_ptr<arrow::Array>> Apply(
      const std::vector<std::shared_ptr<arrow::Array>>& columns, const RowOrigin& origin) const = 0;
};

// The options of an operator that makes column `into` of column `column`.
template <class Options>
Result<Options> ParseColumnOptions(std::string_view options) {
  PRIMUS_ASSIGN(Options parsed, config::ParseOptions<Options>(options));
  if (!parsed.column().empty() && !parsed.into().empty()) return parsed;
  return InvalidArgumentError("expected both column and into");
}

// From the plug-in's own message, serialised.
using OperatorFactory = std::function<Result<std::unique_ptr<Operator>>(
    std::string_view options, const OperatorContext& context)>;
using OperatorSlot = config::Slot<OperatorFactory>;  // "operators"

}  // namespace primus::data
