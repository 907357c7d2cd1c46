#include "plugins/operators/bucketize/bucketize.h"

#include <arrow/array.h>
#include <arrow/array/builder_primitive.h>
#include <arrow/type.h>

#include <cmath>
#include <utility>

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
    PRIMUS_TRY(data::CheckNumbers(inputs_.front(), *types.front()));
    return arrow::int64();
  }

  Result<std::shared_ptr<arrow::Array>> Apply(
      const std::vector<std::shared_ptr<arrow::Array>>& columns,
      const data::RowOrigin& origin) const override {
    const auto bucket_of = [&](int64_t row, auto value) -> Result<int64_t> {
      // A long double holds every 64-bit integer, so the quotient of whole numbers is exact at
      // bucket borders.
      const long double bucket = std::floor(static_cast<long double>(value) / width_);
      if (bucket >= -0x1p63L && bucket < 0x1p63L) return static_cast<int64_t>(bucket);
      return InvalidArgumentError(origin.At(row) + ": column " + inputs_.front() + " is " +
                                  std::to_string(value) + ", which is in no bucket");
    };
    return data::MapNumbers<arrow::Int64Builder>(*columns.front(), bucket_of);
  }

 private:
  std::vector<std::string> inputs_;
  std::string output_;
  long double width_;
};

}  // namespace

Result<std::unique_ptr<data::Operator>> MakeBucketize(std::string_view options,
                                                      const data::OperatorContext& /*context*/) {
  PRIMUS_ASSIGN(const BucketizeOptions parsed, data::ParseColumnOptions<BucketizeOptions>(options));
  if (!(parsed.width() > 0) || !std::isfinite(parsed.width())) {
    return InvalidArgumentError("bucketize needs a width above 0");
  }
  return std::unique_ptr<data::Operator>(std::make_unique<Bucketize>(parsed));
}

void AddBucketize(data::OperatorSlot& slot) {
  slot.Add("bucketize", BucketizeOptions::descriptor(), &MakeBucketize);
}

}  // namespace primus::operators
