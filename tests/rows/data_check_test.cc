// Mistakes of a job file that only its data can show, found before anything starts.
#include "primus/data/data_check.h"

#include <arrow/type.h>
#include <gtest/gtest.h>

#include "tests/rows/stream_fixture.h"

#include "proto/config/job.pb.h"

namespace primus::tests {
namespace {

constexpr char kData[] = R"(
range: {from: 2024-01-01, to: 2024-01-02}
streams:
  - name: ratings
    base: ratings
    sources:
      - name: ratings
        files: {path: "ratings/{{YYYY}}-{{MM}}-{{DD}}", format: {parquet: {}}}
        ready: {}
        eventTime: {column: timestamp}
      - name: users
        files: {path: users.parquet, format: {parquet: {}}}
        dimension: {}
    join:
      - {source: users, keys: [user_id]}
    operators:
      - {compare: {column: rating, atLeast: 4, into: liked}}
      - {bucketize: {column: age, width: 5, into: age5}}
)";

class DataCheckTest : public testing::Test {
 protected:
  DataCheckTest() {
    fixture_.SetData(kData);
    fixture_.WriteParquet("ratings/2024-01-02/a.parquet", {{"user_id", arrow::int64(), "[1]"},
                                                           {"rating", arrow::int64(), "[5]"},
                                                           {"price", arrow::float64(), "[5]"},
                                                           {"name", arrow::utf8(), "[\"x\"]"},
                                                           {"timestamp", arrow::int64(), "[0]"}});
    fixture_.WriteText("ratings/2024-01-01/_SUCCESS", "");
    fixture_.WriteText("ratings/2024-01-02/_SUCCESS", "");
    fixture_.WriteParquet("users.parquet", {{"user_id", arrow::int64(), "[1]"},
                                            {"age", arrow::int64(), "[30]"},
                                            {"name", arrow::utf8(), "[\"y\"]"}});
    AddFeature("age5", "age5");
    model().mutable_label()->set_column("liked");
  }

  config::Model& model() { return *fixture_.job().mutable_spec()->mutable_model(); }
  config::Stream& stream() {
    return *fixture_.job().mutable_spec()->mutable_data()->mutable_streams(0);
  }
  config::Feature& AddFeature(const std::string& name, const std::string& column) {
    config::Feature& feature = *model().add_features();
    feature.set_name(name);
    feature.set_column(column);
    feature.set_dim(8);
    return feature;
  }
  // Path and text of all problems.
  std::string Problems() {
    std::string text;
    for (const data::SpecProblem& problem :
         data::CheckData(fixture_.job(), fixture_.slots(), fixture_.root())) {
      text += problem.path + ": " + problem.text + "\n";
    }
    return text;
  }
  void ExpectProblem(const std::string& text) {
    const std::string problems = Problems();
    EXPECT_NE(problems.find(text), std::string::npos) << problems;
  }

  StreamFixture fixture_;
};

TEST_F(DataCheckTest, ARightJobHasNoProblems) { EXPECT_EQ(Problems(), ""); }

TEST_F(DataCheckTest, AColumnThatNoSourceYieldsHasAHint) {
  AddFeature("user", "userid");
  ExpectProblem(
      "spec.model.features[user].column: expected one of the stream's columns, got userid; did you "
      "mean user_id?");
}

TEST_F(DataCheckTest, AllMistakesAreFoundAtOnce) {
  AddFeature("a", "absent");
  AddFeature("b", "price");
  AddFeature("c", "name");
  model().mutable_label()->set_column("name");
  const std::string problems = Problems();
  EXPECT_NE(problems.find("features[a].column: expected one"), std::string::npos) << problems;
  EXPECT_NE(problems.find("features[b].column: column price is double; a float cannot be"),
            std::string::npos)
      << problems;
  EXPECT_NE(problems.find("features[c].column: column name is in both ratings and users"),
            std::string::npos)
      << problems;
  EXPECT_NE(problems.find("spec.model.label.column: column name"), std::string::npos) << problems;
}

TEST_F(DataCheckTest, MultiHotColumnsAreCheckedEach) {
  config::Feature& feature = AddFeature("hot", "");
  feature.mutable_multi_hot()->add_columns("rating");
  feature.mutable_multi_hot()->add_columns("ratings");
  ExpectProblem("spec.model.features[hot].multiHot.columns[1]: expected one of");
}

TEST_F(DataCheckTest, OperatorsAreChecked) {
  std::string data = kData;
  data.replace(data.find("column: age"), 11, "column: agee");
  fixture_.SetData(data);
  ExpectProblem("spec.data.streams[ratings].operators[1].bucketize.column: expected one of the");
  EXPECT_EQ(Problems().find("features[age5]"), std::string::npos) << "it follows from the other";
  data = kData;
  data.replace(data.find("into: age5"), 10, "into: age");
  fixture_.SetData(data);
  ExpectProblem("operators[1].bucketize.into: there is a column age already");
}

TEST_F(DataCheckTest, JoinsAreChecked) {
  stream().mutable_join(0)->set_keys(0, "movie_id");
  ExpectProblem("spec.data.streams[ratings].join[users].keys: expected columns of both sides");
}

TEST_F(DataCheckTest, EachWindowHasFilesOfItsOwn) {
  std::string data = kData;
  data.replace(data.find("-{{DD}}"), 7, "");
  fixture_.SetData(data);
  ExpectProblem("windows 2024-01-01 and 2024-01-02 would both read");
}

TEST_F(DataCheckTest, EmptyInputIsFoundBeforeTheStart) {
  std::string data = kData;
  data.replace(data.find("ratings/{{"), 10, "rating/{{");
  fixture_.SetData(data);
  ExpectProblem("sources[ratings]: there is no file with rows to learn columns from: " +
                fixture_.root() + "/rating/2024-01-01 to");
}

TEST_F(DataCheckTest, FilesWithoutTheMarkerAreSaidToLackIt) {
  stream().mutable_sources(0)->mutable_ready()->set_marker("DONE");
  const std::string day = fixture_.root() + "/ratings/2024-01-02";
  ExpectProblem(day + "; " + day + " has files, but no marker " + day + "/DONE (ready.marker)");
}

TEST_F(DataCheckTest, TwoColumnsOfOneNameInAFileAreSaidToBeThat) {
  fixture_.WriteParquet("users.parquet", {{"user_id", arrow::int64(), "[1]"},
                                          {"age", arrow::int64(), "[30]"},
                                          {"age", arrow::int64(), "[30]"}});
  ExpectProblem("two columns of users are named age; rename or drop one of them in its files");
}

TEST_F(DataCheckTest, AMissingDimensionIsNamed) {
  std::string data = kData;
  data.replace(data.find("users.parquet"), 13, "user.parquet");
  fixture_.SetData(data);
  ExpectProblem("sources[users]: there is nothing at " + fixture_.root() + "/user.parquet");
}

TEST_F(DataCheckTest, APlaceholderThatDoesNotExistIsNamed) {
  std::string data = kData;
  data.replace(data.find("{{DD}}"), 6, "{{D}}");
  fixture_.SetData(data);
  ExpectProblem("path has \"D\" where {{YYYY}}");
}

TEST_F(DataCheckTest, AnEventTimeIsACountOrATimestamp) {
  std::string data = kData;
  data.replace(data.find("column: timestamp"), 17, "column: name");
  fixture_.SetData(data);
  ExpectProblem("sources[ratings].eventTime.column: column name is in both");
  data = kData;
  data.replace(data.find("column: timestamp"), 17, "column: price");
  fixture_.SetData(data);
  ExpectProblem("expected a timestamp or integer column; price is double");
}

}  // namespace
}  // namespace primus::tests
