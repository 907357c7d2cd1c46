// What of its sources a stream reads and where it is computed. Refusals:
// tests/rows/data_check_test.
#include "primus/data/chain_plan.h"

#include <arrow/type.h>
#include <gtest/gtest.h>

#include <sstream>
#include <utility>

#include "proto/config/job.pb.h"

namespace primus::data {
namespace {

using Names = std::vector<std::string>;

// Options are the names of its inputs and then its output, with spaces between.
class AnyInputs final : public Operator {
 public:
  explicit AnyInputs(const std::string& options) {
    std::istringstream words(options);
    for (std::string word; words >> word;) inputs_.push_back(word);
    output_ = inputs_.back();
    inputs_.pop_back();
  }
  const std::vector<std::string>& inputs() const override { return inputs_; }
  const std::string& output() const override { return output_; }
  Result<std::shared_ptr<arrow::DataType>> Check(
      const std::vector<std::shared_ptr<arrow::DataType>>&) const override {
    return arrow::int64();
  }
  Result<std::shared_ptr<arrow::Array>> Apply(const std::vector<std::shared_ptr<arrow::Array>>&,
                                              const RowOrigin&) const override {
    return UnimplementedError("a plan computes nothing");
  }

 private:
  std::vector<std::string> inputs_;
  std::string output_;
};

class ChainPlanTest : public testing::Test {
 protected:
  // Base `clicks` with dimension `users` by user_id.
  ChainPlanTest() {
    stream_.set_name("s");
    stream_.set_base("clicks");
    config::Source& clicks = *stream_.add_sources();
    clicks.set_name("clicks");
    clicks.mutable_event_time()->set_column("time");
    clicks.mutable_event_time()->set_unit(config::Millisecond);
    config::Source& users = *stream_.add_sources();
    users.set_name("users");
    users.mutable_dimension();
    config::Join& join = *stream_.add_join();
    join.set_source("users");
    join.add_keys("user_id");
    schemas_["clicks"] = Ints({"time", "user_id", "item", "price", "unused"});
    schemas_["users"] = Ints({"age", "user_id", "zip"});
    operators_.Add("any", nullptr, [](std::string_view options, const OperatorContext&) {
      return Result<std::unique_ptr<Operator>>(std::make_unique<AnyInputs>(std::string(options)));
    });
    request_.stream = &stream_;
    request_.reads_event_time = false;
  }

  static std::shared_ptr<arrow::Schema> Ints(const Names& names) {
    arrow::FieldVector fields;
    for (const std::string& name : names) fields.push_back(arrow::field(name, arrow::int64()));
    return arrow::schema(std::move(fields));
  }
  void AddFeature(const std::string& column) {
    FeatureRequest feature{{}, column};
    feature.spec.name = column;
    feature.spec.columns = {column};
    request_.features.push_back(feature);
  }
  void AddOperator(const std::string& columns) {
    config::Variant& variant = *stream_.add_operators();
    variant.set_key("any");
    variant.set_options(columns);
  }
  ChainPlan Plan() {
    SpecProblems problems;
    std::optional<ChainPlan> plan = PlanChain(request_, schemas_, operators_, problems);
    for (const SpecProblem& problem : problems) ADD_FAILURE() << problem.path << problem.text;
    return plan ? *std::move(plan) : ChainPlan{{{}, {}}, {}, {}, "", std::nullopt};
  }
  static Names OutputsOf(const OriginPlan& origin) {
    Names outputs;
    for (const auto& op : origin.operators) outputs.push_back(op->output());
    return outputs;
  }

  config::Stream stream_;
  SourceSchemas schemas_;
  OperatorSlot operators_{"operators"};
  ChainRequest request_;
};

TEST_F(ChainPlanTest, OnlyNeededColumnsAreReadInTheOrderOfTheSchema) {
  AddFeature("price");
  AddFeature("item");
  AddFeature("age");
  const ChainPlan plan = Plan();
  ASSERT_EQ(plan.origins.size(), 2U);
  EXPECT_EQ(plan.origins[0].columns, (Names{"user_id", "item", "price"}));
  EXPECT_EQ(plan.origins[1].columns, (Names{"age", "user_id"}));
  EXPECT_EQ(plan.origins[1].join_keys, (Names{"user_id"}));
  EXPECT_TRUE(plan.gathered.empty());
  ASSERT_EQ(plan.features.size(), 3U);
  EXPECT_EQ(plan.features[0].request.spec.name, "price");
  EXPECT_EQ(plan.features[0].origin, kBaseOrigin);
  EXPECT_EQ(plan.features[2].origin, 1U);
}

TEST_F(ChainPlanTest, AJoinKeyIsTheBasesColumn) {
  AddFeature("user_id");
  EXPECT_EQ(Plan().features[0].origin, kBaseOrigin);
}

TEST_F(ChainPlanTest, AnOperatorOverADimensionAloneRunsOnItsRows) {
  AddOperator("age zip region");
  AddFeature("region");
  const ChainPlan plan = Plan();
  EXPECT_EQ(OutputsOf(plan.origins[0]), Names{});
  EXPECT_EQ(OutputsOf(plan.origins[1]), (Names{"region"}));
  EXPECT_EQ(plan.features[0].origin, 1U);
  EXPECT_TRUE(plan.gathered.empty());
}

TEST_F(ChainPlanTest, AnOperatorOverBothSidesGathersTheDimensionsColumns) {
  AddOperator("price age crossed");
  AddFeature("crossed");
  const ChainPlan plan = Plan();
  EXPECT_EQ(OutputsOf(plan.origins[0]), (Names{"crossed"}));
  EXPECT_EQ(plan.gathered, (std::vector<ColumnUse>{{1, "age"}}));
  EXPECT_EQ(plan.origins[0].columns, (Names{"user_id", "price"}));
  EXPECT_EQ(plan.features[0].origin, kBaseOrigin);
}

TEST_F(ChainPlanTest, OperatorsFeedEachOtherAndThoseThatNobodyNeedsGo) {
  AddOperator("price a");
  AddOperator("unused b");
  AddOperator("a item c");
  AddFeature("c");
  const ChainPlan plan = Plan();
  EXPECT_EQ(OutputsOf(plan.origins[0]), (Names{"a", "c"}));
  EXPECT_EQ(plan.origins[0].columns, (Names{"user_id", "item", "price"}));
}

TEST_F(ChainPlanTest, ALabelOfADimensionIsGathered) {
  request_.label_column = "zip";
  const ChainPlan plan = Plan();
  EXPECT_EQ(plan.label_column, "zip");
  EXPECT_EQ(plan.gathered, (std::vector<ColumnUse>{{1, "zip"}}));
}

TEST_F(ChainPlanTest, EventTimeIsReadOnlyWhenAPhaseAsksForIt) {
  EXPECT_FALSE(Plan().event_time.has_value());
  EXPECT_EQ(Plan().origins[0].columns, (Names{"user_id"}));
  request_.reads_event_time = true;
  const ChainPlan plan = Plan();
  ASSERT_TRUE(plan.event_time.has_value());
  EXPECT_EQ(plan.event_time->nanos, 1000000);
  EXPECT_EQ(plan.origins[0].columns, (Names{"time", "user_id"}));
}

TEST_F(ChainPlanTest, ATimestampColumnHasAUnitOfItsOwn) {
  request_.reads_event_time = true;
  for (const auto& [unit, nanos] :
       {std::pair(arrow::TimeUnit::SECOND, 1000000000), std::pair(arrow::TimeUnit::MILLI, 1000000),
        std::pair(arrow::TimeUnit::MICRO, 1000), std::pair(arrow::TimeUnit::NANO, 1)}) {
    schemas_["clicks"] = arrow::schema(
        {arrow::field("time", arrow::timestamp(unit)), arrow::field("user_id", arrow::int64())});
    EXPECT_EQ(Plan().event_time->nanos, nanos);
  }
}

}  // namespace
}  // namespace primus::data
