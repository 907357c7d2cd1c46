#include "plugins/operators/compare/compare.h"

#include <arrow/array.h>
#include <arrow/array/builder_primitive.h>
#include <arrow/type.h>

#include <cmath>
#include <utility>

#include "primus/data/numeric.h"

#include "plugins/operators/compare/compare.pb.h"

namespace primus::operators {
namespace {

// Holds every int64, uint64 and double exactly.
using Exact = long double;

bool Holds(CompareOptions::BoundCase relation, Exact value, Exact bound) {
  switch (relation) {
    case CompareOptions::kAtLeast:
      return value >= bound;
    case CompareOptions::kAbove:
      return value > bound;
    case CompareOptions::kAtMost:
      return value <= bound;
    case CompareOptions::kBelow:
      return value < bound;
    case CompareOptions::kEqual:
      return value == bound;
    case CompareOptions::BOUND_NOT_SET:
      break;
  }
  return false;
}

double Bound(const CompareOptions& options) {
  switch (options.bound_case()) {
    case CompareOptions::kAtLeast:
      return options.at_least();
    case CompareOptions::kAbove:
      return options.above();
    case CompareOptions::kAtMost:
      return options.at_most();
    case CompareOptions::kBelow:
      return options.below();
    case CompareOptions::kEqual:
      return options.equal();
    case CompareOptions::BOUND_NOT_SET:
      break;
  }
  return 0;
}

class Compare final : public data::Operator {
 public:
  explicit Compare(const CompareOptions& options)
      : inputs_{options.column()},
        output_(options.into()),
        relation_(options.bound_case()),
        bound_(Bound(options)) {}

  const std::vector<std::string>& inputs() const override { return inputs_; }
  const std::string& output() const override { return output_; }

  Result<std::shared_ptr<arrow::DataType>> Check(
      const std::vector<std::shared_ptr<arrow::DataType>>& types) const override {
    PRIMUS_TRY(data::CheckNumbers(inputs_.front(), *types.front()));
    return arrow::boolean();
  }

  Result<std::shared_ptr<arrow::Array>> Apply(
      const std::vector<std::shared_ptr<arrow::Array>>& columns,
      const data::RowOrigin& origin) const override {
    const auto answer = [&](int64_t row, auto number) -> Result<bool> {
      const Exact value = number;
      if (!std::isnan(value)) return Holds(relation_, value, bound_);
      return InvalidArgumentError(origin.At(row) + ": column " + inputs_.front() +
                                  " is NaN, which compares with nothing");
    };
    return data::MapNumbers<arrow::BooleanBuilder>(*columns.front(), answer);
  }

 private:
  std::vector<std::string> inputs_;
  std::string output_;
  CompareOptions::BoundCase relation_;
  Exact bound_;
};

}  // namespace

Result<std::unique_ptr<data::Operator>> MakeCompare(std::string_view options,
                                                    const data::OperatorContext& /*context*/) {
  PRIMUS_ASSIGN(const CompareOptions parsed, data::ParseColumnOptions<CompareOptions>(options));
  if (parsed.bound_case() == CompareOptions::BOUND_NOT_SET) {
    return InvalidArgumentError("compare needs one of atLeast, above, atMost, below, equal");
  }
  if (std::isnan(Bound(parsed))) return InvalidArgumentError("compare cannot compare with NaN");
  return std::unique_ptr<data::Operator>(std::make_unique<Compare>(parsed));
}

void AddCompare(data::OperatorSlot& slot) {
  slot.Add("compare", CompareOptions::descriptor(), &MakeCompare);
}

}  // namespace primus::operators
