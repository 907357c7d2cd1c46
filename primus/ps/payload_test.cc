#include "primus/ps/payload.h"

#include <gtest/gtest.h>

#include <cstring>

#include "proto/wire/parameters.pb.h"

namespace primus::ps {
namespace {

jobspec::ModelPlan Plan() {
  jobspec::ModelPlan plan;
  plan.tables.resize(2);
  plan.tables[0].dim = 1;
  plan.tables[1].dim = 2;
  plan.tables[1].first_order = true;
  return plan;
}

template <class T>
void Append(std::string* to, std::initializer_list<T> values) {
  for (const T value : values) to->append(reinterpret_cast<const char*>(&value), sizeof(value));
}

template <class Request>
void AddTable(Request* request, uint32_t table, uint32_t keys) {
  wire::TableCount* count = request->add_tables();
  count->set_table(table);
  count->set_keys(keys);
}

TEST(PayloadTest, PullNamesKeysTableAfterTable) {
  wire::PullRequest request;
  AddTable(&request, 1, 2);
  AddTable(&request, 0, 1);
  std::string payload;
  Append<uint64_t>(&payload, {10, 11, 12});
  const PullLayout layout = ReadPull(Plan(), request, payload).value();
  ASSERT_EQ(layout.tables.size(), 2U);
  EXPECT_EQ(layout.tables[0].table, 1U);
  EXPECT_EQ(layout.tables[0].keys[1], 11U);
  EXPECT_EQ(layout.tables[1].keys[0], 12U);
  EXPECT_EQ(layout.row_values, 2U * 3 + 1);
}

TEST(PayloadTest, PushHasKeysThenGradientsThenDense) {
  wire::PushRequest request;
  AddTable(&request, 0, 1);
  AddTable(&request, 1, 1);
  request.set_dense_values(2);
  std::string payload;
  Append<uint64_t>(&payload, {10, 11});
  Append<float>(&payload, {1, 2, 3, 4, 5, 6});
  const PushLayout layout = ReadPush(Plan(), request, payload).value();
  EXPECT_EQ(layout.tables[0].gradients[0], 1);
  EXPECT_EQ(layout.tables[1].keys[0], 11U);
  EXPECT_EQ(layout.tables[1].gradients[2], 4);
  ASSERT_EQ(layout.dense.size(), 2U);
  EXPECT_EQ(layout.dense[1], 6);
}

TEST(PayloadTest, AnEmptyRequestIsFine) {
  EXPECT_TRUE(ReadPull(Plan(), {}, {}).ok());
  EXPECT_TRUE(ReadPush(Plan(), {}, {}).ok());
}

TEST(PayloadTest, SizesThatDoNotAgreeAreRefused) {
  wire::PushRequest push;
  AddTable(&push, 1, 2);
  push.set_dense_values(1);
  const std::size_t right = 2 * 8 + 2 * 3 * 4 + 4;
  for (std::size_t size = 0; size < right + 9; ++size) {
    const Status status = ReadPush(Plan(), push, std::string(size, '\0')).status();
    EXPECT_EQ(status.code(), size == right ? StatusCode::kOk : StatusCode::kInvalidArgument)
        << size;
  }
  wire::PullRequest pull;
  AddTable(&pull, 0, ~uint32_t{0});
  EXPECT_EQ(ReadPull(Plan(), pull, std::string(16, '\0')).status().code(),
            StatusCode::kInvalidArgument);
  pull.Clear();
  AddTable(&pull, 2, 1);
  const Status status = ReadPull(Plan(), pull, std::string(8, '\0')).status();
  EXPECT_EQ(status.code(), StatusCode::kInvalidArgument);
  EXPECT_NE(status.message().find("no table 2"), std::string::npos);
}

}  // namespace
}  // namespace primus::ps
