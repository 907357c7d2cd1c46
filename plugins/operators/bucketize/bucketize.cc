#include "plugins/operators/bucketize/bucketize.h"

#include <arrow/array.h>
#include <arrow/array/builder_primitive.h>
#include <arrow/type.h>

#include <cmath>
#include <utility>

#include "primus/data/arrow_status.h"
#include "primus/data/numeric.h"

#include "plugins/operators/bucketize/bucketize.pb.h"

namespace primus::operators {
namespace {

class Bucketize final : public data::Operator {
 public:
  explicit Bucketize(const BucketizeOptions& options)
      : inputs_{options.column()}, output_(options.into()), width_(options.width()) {}

  const std::vector<std::string>& inputs() const override { return inputs_; }
  const std::string& output() const override { return output_; }

  Result<std::shared_ptr<arrow::DataType>> Check(
      const std::vector<std::shared_ptr<arrow::DataType>>& types) const override {
    if (data::IsNumberType(*types.front())) return arrow::int64();
    return InvalidArgumentError("bucketize needs a column of numbers; " + inputs_.front() + " is " +
                                types.front()->ToString());
  }

  Result<std::shared_ptr<arrow::Array>> Apply(
      const std::vector<std::shared_ptr<arrow::Array>>& columns,
      const data::RowOrigin& origin) const override {
    arrow::Int64Builder builder;
    PRIMUS_TRY(data::FromArrow(builder.Reserve(columns.front()->length())));
    PRIMUS_TRY(data::VisitNumbers(*columns.front(), [&](const auto& values) -> Status {
      for (int64_t row = 0; row < values.length(); ++row) {
        if (values.IsNull(row)) {
          builder.UnsafeAppendNull();
          continue;
        }
        // A long double holds every 64-bit integer, so the quotient of whole numbers is exact
        // at bucket borders.
        const long double bucket = std::floor(static_cast<long double>(values.Value(row)) / width_);
        if (!(bucket >= -0x1p63L && bucket < 0x1p63L)) {
          return InvalidArgumentError(origin.At(row) + ": column " + inputs_.front() + " is " +
                                      std::to_string(values.Value(row)) +
                                      ", which is in no bucket");
        }
        builder.UnsafeAppend(static_cast<int64_t>(bucket));
      }
      return OkStatus();
    }));
    return data::FromArrow(builder.Finish());
  }

 private:
  std::vector<std::string> inputs_;
  std::string output_;
  long double width_;
};

}  // namespace

Result<std::unique_ptr<data::Operator>> MakeBucketize(std::string_view options,
                                                      const data::OperatorContext& /*context*/) {
  BucketizeOptions parsed;
  if (!parsed.ParseFromArray(options.data(), static_cast<int>(options.size()))) {
    return InvalidArgumentError("options of operator bucketize cannot be parsed");
  }
  if (parsed.column().empty() || parsed.into().empty()) {
    return InvalidArgumentError("bucketize needs column and into");
  }
  if (!(parsed.width() > 0) || !std::isfinite(parsed.width())) {
    return InvalidArgumentError("bucketize needs a width above 0");
  }
  return std::unique_ptr<data::Operator>(std::make_unique<Bucketize>(parsed));
}

void AddBucketize(data::OperatorSlot& slot) {
  slot.Add("bucketize", BucketizeOptions::descriptor(), &MakeBucketize);
}

}  // namespace primus::operators
