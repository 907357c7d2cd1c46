#include "plugins/formats/parquet/parquet_format.h"

#include <arrow/array/builder_binary.h>
#include <arrow/array/builder_primitive.h>
#include <arrow/io/file.h>
#include <arrow/io/memory.h>
#include <arrow/record_batch.h>
#include <arrow/table.h>
#include <gtest/gtest.h>
#include <parquet/arrow/writer.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

#include "primus/data/format_conformance.h"

namespace primus::formats {
namespace {

data::FormatSubject ParquetSubject() {
  arrow::Int64Builder ids;
  arrow::StringBuilder names;
  for (int64_t i = 0; i < 100; ++i) {
    EXPECT_TRUE(ids.Append(i).ok());
    EXPECT_TRUE(names.Append("r" + std::to_string(i)).ok());
  }
  const auto schema =
      arrow::schema({arrow::field("id", arrow::int64()), arrow::field("name", arrow::utf8())});
  const auto table =
      arrow::Table::Make(schema, {ids.Finish().ValueOrDie(), names.Finish().ValueOrDie()}, 100);
  const auto sink = arrow::io::BufferOutputStream::Create().ValueOrDie();
  EXPECT_TRUE(
      parquet::arrow::WriteTable(*table, arrow::default_memory_pool(), sink, /*chunk_size=*/30)
          .ok());
  return {*MakeParquetFormat(""), sink->Finish().ValueOrDie()->ToString()};
}

struct Outcome {
  Status status;
  uint64_t rows = 0;
};

// Opens a file of tests/data/parquet and reads all its columns.
Outcome ReadFile(const std::string& path) {
  Outcome outcome;
  const auto read = [&]() -> Status {
    PRIMUS_ASSIGN(const auto format, MakeParquetFormat(""));
    PRIMUS_ASSIGN(const auto file,
                  format->Open(arrow::io::ReadableFile::Open(path).ValueOrDie(), path));
    data::ReadScope scope;
    scope.columns = file->schema()->field_names();
    scope.rows = file->rows();
    PRIMUS_ASSIGN(const auto reader, file->Read(scope));
    while (true) {
      PRIMUS_ASSIGN(const auto batch, reader->Next());
      if (batch == nullptr) return OkStatus();
      outcome.rows += static_cast<uint64_t>(batch->num_rows());
    }
  };
  outcome.status = read();
  return outcome;
}

std::map<std::string, Outcome> ReadFolder(const std::string& name) {
  std::map<std::string, Outcome> outcomes;
  const std::filesystem::path folder =
      std::filesystem::path(PRIMUS_TEST_DATA_DIRECTORY) / "parquet" / name;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    outcomes[entry.path().filename().string()] = ReadFile(entry.path().string());
  }
  return outcomes;
}

// File → what its refusal says. Those that are not here are read.
using Refusals = std::map<std::string, std::string>;

void ExpectOutcomes(const std::string& folder, std::size_t files, const Refusals& refusals) {
  const auto outcomes = ReadFolder(folder);
  EXPECT_EQ(outcomes.size(), files);
  for (const auto& [file, outcome] : outcomes) {
    const std::string text = file + ": " + outcome.status.ToString();
    const auto refusal = refusals.find(file);
    if (refusal == refusals.end()) {
      EXPECT_TRUE(outcome.status.ok()) << text;
      EXPECT_GT(outcome.rows, 0U) << text;
      continue;
    }
    EXPECT_FALSE(outcome.status.ok()) << text;
    EXPECT_NE(outcome.status.message().find(file), std::string::npos) << text;
    EXPECT_NE(outcome.status.message().find(refusal->second), std::string::npos) << text;
  }
}

TEST(ParquetFormat, ReadsWhatOthersWrite) {
  // The first does not match its own checksums; the second's footer counts other rows than its row
  // groups do, and the balance of a job rests on that count.
  ExpectOutcomes("good", 17,
                 {{"datapage_v1-corrupt-checksum.parquet", "CRC"},
                  {"repeated_no_annotation.parquet", "footer says 0 rows"}});
}

TEST(ParquetFormat, HostileFilesAreRefusedByName) {
  ExpectOutcomes("bad", 8,
                 {{"ARROW-GH-41317.parquet", "cannot be read as Parquet"},
                  {"ARROW-GH-41321.parquet", "corrupted bit_width"},
                  {"ARROW-GH-45185.parquet", "repetition level"},
                  {"ARROW-GH-47662.parquet", "Unexpected end of stream"},
                  {"ARROW-RS-GH-6229-DICTHEADER.parquet", "cannot be read as Parquet"},
                  {"ARROW-RS-GH-6229-LEVELS.parquet", "cannot be read as Parquet"},
                  {"PARQUET-1481.parquet", "physical column type"}});
}

}  // namespace
}  // namespace primus::formats

namespace primus::data {
INSTANTIATE_TEST_SUITE_P(Parquet, FormatConformance,
                         testing::Values(&primus::formats::ParquetSubject));
}  // namespace primus::data
