// The contract of Format, as a suite that every format runs:
//
//   INSTANTIATE_TEST_SUITE_P(Parquet, FormatConformance, testing::Values(&MakeSubject));
//
// For tests only.
#pragma once

#include <arrow/array.h>
#include <arrow/buffer.h>
#include <arrow/io/memory.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "primus/data/format.h"

namespace primus::data {

struct FormatSubject {
  std::shared_ptr<Format> format;
  // A file of 100 rows: `id` (int64) is the row's number, `name` (utf8) "r<number>", in as many
  // inner pieces as the format has.
  std::string file;
};
using MakeFormatSubject = FormatSubject (*)();

class FormatConformance : public testing::TestWithParam<MakeFormatSubject> {
 protected:
  FormatConformance() : subject_(GetParam()()) {}

  Result<std::unique_ptr<TableFile>> Open(const std::string& bytes) {
    return subject_.format->Open(
        std::make_shared<arrow::io::BufferReader>(arrow::Buffer::FromString(bytes)), "some.file");
  }

  // Opens and reads everything; whatever happens comes as a Status.
  Status ReadWhole(const std::string& bytes) {
    PRIMUS_ASSIGN(const auto file, Open(bytes));
    ReadScope scope;
    scope.columns = file->schema()->field_names();
    scope.rows = file->rows();
    PRIMUS_ASSIGN(const auto reader, file->Read(scope));
    while (true) {
      PRIMUS_ASSIGN(const auto batch, reader->Next());
      if (batch == nullptr) return OkStatus();
    }
  }

  std::vector<int64_t> Ids(const ReadScope& scope) {
    std::vector<int64_t> ids;
    auto file = Open(subject_.file);
    EXPECT_TRUE(file.ok()) << file.status().ToString();
    auto reader = (*file)->Read(scope);
    EXPECT_TRUE(reader.ok()) << reader.status().ToString();
    while (reader.ok()) {
      auto batch = (*reader)->Next();
      EXPECT_TRUE(batch.ok()) << batch.status().ToString();
      if (!batch.ok() || *batch == nullptr) break;
      EXPECT_EQ((*batch)->schema()->field_names(), scope.columns);
      EXPECT_LE((*batch)->num_rows(), scope.batch_rows);
      const auto& column = static_cast<const arrow::Int64Array&>(*(*batch)->GetColumnByName("id"));
      for (int64_t i = 0; i < column.length(); ++i) ids.push_back(column.Value(i));
    }
    return ids;
  }

  FormatSubject subject_;
};

TEST_P(FormatConformance, TellsSchemaAndRowsWithoutReading) {
  auto file = Open(subject_.file);
  ASSERT_TRUE(file.ok()) << file.status().ToString();
  EXPECT_EQ((*file)->rows(), 100U);
  ASSERT_NE((*file)->schema()->GetFieldByName("id"), nullptr);
  EXPECT_EQ((*file)->schema()->GetFieldByName("id")->type()->id(), arrow::Type::INT64);
  EXPECT_EQ((*file)->schema()->GetFieldByName("name")->type()->id(), arrow::Type::STRING);
}

TEST_P(FormatConformance, ReadsAnyRangeInOrder) {
  for (const uint64_t first : {0U, 1U, 29U, 30U, 99U, 100U}) {
    for (const uint64_t rows : {0U, 1U, 31U, 100U}) {
      if (first + rows > 100) continue;
      const std::vector<int64_t> ids = Ids({{"id"}, first, rows, 16});
      ASSERT_EQ(ids.size(), rows) << "from " << first;
      for (uint64_t i = 0; i < rows; ++i) EXPECT_EQ(ids[i], static_cast<int64_t>(first + i));
    }
  }
}

TEST_P(FormatConformance, YieldsColumnsInTheOrderAskedFor) {
  EXPECT_EQ(Ids({{"name", "id"}, 0, 100}).size(), 100U);
  EXPECT_EQ(Ids({{"id", "name"}, 0, 100}).size(), 100U);
}

TEST_P(FormatConformance, RefusesWhatIsNotThere) {
  auto file = Open(subject_.file);
  ASSERT_TRUE(file.ok());
  const auto column = (*file)->Read({{"absent"}, 0, 1});
  ASSERT_FALSE(column.ok());
  EXPECT_EQ(column.status().code(), StatusCode::kInvalidArgument);
  EXPECT_NE(column.status().message().find("absent"), std::string::npos);
  const auto rows = (*file)->Read({{"id"}, 50, 51});
  ASSERT_FALSE(rows.ok());
  EXPECT_EQ(rows.status().code(), StatusCode::kOutOfRange);
}

TEST_P(FormatConformance, ATruncatedFileIsAnErrorThatNamesIt) {
  for (std::size_t size = 0; size < subject_.file.size(); size += 7) {
    const Status status = ReadWhole(subject_.file.substr(0, size));
    ASSERT_FALSE(status.ok()) << "cut at " << size;
    EXPECT_NE(status.message().find("some.file"), std::string::npos) << status.ToString();
  }
}

TEST_P(FormatConformance, BytesOfAnotherKindAreAnError) {
  for (const std::string& bytes :
       {std::string(), std::string("{}"), std::string(1000, '\0'), std::string(1000, 'P')}) {
    const Status status = ReadWhole(bytes);
    ASSERT_FALSE(status.ok());
    EXPECT_EQ(status.code(), StatusCode::kDataLoss) << status.ToString();
  }
}

}  // namespace primus::data
