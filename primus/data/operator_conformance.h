// The contract of Operator, as a suite that every operator runs:
//
//   INSTANTIATE_TEST_SUITE_P(Compare, OperatorConformance, testing::Values(&MakeSubject));
//
// For tests only.
#pragma once

#include <arrow/array.h>
#include <arrow/array/concatenate.h>
#include <arrow/array/util.h>
#include <arrow/type.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "primus/data/operator.h"

namespace primus::data {

struct OperatorSubject {
  OperatorFactory make;
  std::string options;  // valid ones, serialised
  OperatorContext context;
  // Inputs that it accepts: at least 4 rows, no nulls.
  std::vector<std::shared_ptr<arrow::Array>> columns;
  // A type that its first input cannot have.
  std::shared_ptr<arrow::DataType> wrong_type;
};
using MakeOperatorSubject = OperatorSubject (*)();

class OperatorConformance : public testing::TestWithParam<MakeOperatorSubject> {
 protected:
  OperatorConformance() : subject_(GetParam()()) {
    auto made = subject_.make(subject_.options, subject_.context);
    EXPECT_TRUE(made.ok()) << made.status().ToString();
    if (made.ok()) operator_ = *std::move(made);
  }

  std::vector<std::shared_ptr<arrow::DataType>> Types() const {
    std::vector<std::shared_ptr<arrow::DataType>> types;
    for (const auto& column : subject_.columns) types.push_back(column->type());
    return types;
  }

  std::shared_ptr<arrow::Array> Apply(const std::vector<std::shared_ptr<arrow::Array>>& columns) {
    auto output = operator_->Apply(columns, RowOrigin("some.file", 0));
    EXPECT_TRUE(output.ok()) << output.status().ToString();
    return output.ok() ? *output : nullptr;
  }

  OperatorSubject subject_;
  std::unique_ptr<Operator> operator_;
};

TEST_P(OperatorConformance, NamesItsColumns) {
  EXPECT_EQ(operator_->inputs().size(), subject_.columns.size());
  EXPECT_FALSE(operator_->output().empty());
}

TEST_P(OperatorConformance, YieldsTheTypeThatItPromises) {
  const auto type = operator_->Check(Types());
  ASSERT_TRUE(type.ok()) << type.status().ToString();
  const auto output = Apply(subject_.columns);
  ASSERT_NE(output, nullptr);
  EXPECT_TRUE(output->type()->Equals(**type));
  EXPECT_EQ(output->length(), subject_.columns.front()->length());
  EXPECT_TRUE(output->ValidateFull().ok());
}

TEST_P(OperatorConformance, RefusesAWrongTypeByNames) {
  auto types = Types();
  types.front() = subject_.wrong_type;
  const auto checked = operator_->Check(types);
  ASSERT_FALSE(checked.ok());
  EXPECT_EQ(checked.status().code(), StatusCode::kInvalidArgument);
  EXPECT_NE(checked.status().message().find(operator_->inputs().front()), std::string::npos);
  EXPECT_NE(checked.status().message().find(subject_.wrong_type->ToString()), std::string::npos);
}

TEST_P(OperatorConformance, WorksRowByRow) {
  const auto whole = Apply(subject_.columns);
  ASSERT_NE(whole, nullptr);
  for (int64_t row = 0; row < whole->length(); ++row) {
    std::vector<std::shared_ptr<arrow::Array>> one;
    for (const auto& column : subject_.columns) one.push_back(column->Slice(row, 1));
    const auto output = Apply(one);
    ASSERT_NE(output, nullptr);
    EXPECT_TRUE(output->Equals(*whole->Slice(row, 1))) << "row " << row;
  }
}

TEST_P(OperatorConformance, NullInAnyInputGivesNull) {
  for (std::size_t i = 0; i < subject_.columns.size(); ++i) {
    auto columns = subject_.columns;
    const auto& column = columns[i];
    const auto null = arrow::MakeArrayOfNull(column->type(), 1).ValueOrDie();
    columns[i] = arrow::Concatenate({null, column->Slice(1)}).ValueOrDie();
    const auto output = Apply(columns);
    ASSERT_NE(output, nullptr);
    EXPECT_TRUE(output->IsNull(0));
    EXPECT_TRUE(output->Slice(1)->Equals(*Apply(subject_.columns)->Slice(1)));
  }
}

TEST_P(OperatorConformance, BytesThatAreNoOptionsAreRefused) {
  EXPECT_FALSE(subject_.make("\xff\xff\xff", subject_.context).ok());
  EXPECT_FALSE(subject_.make("", subject_.context).ok());
}

}  // namespace primus::data
