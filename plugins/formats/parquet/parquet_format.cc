#include "plugins/formats/parquet/parquet_format.h"

#include <arrow/array.h>
#include <arrow/io/interfaces.h>
#include <arrow/record_batch.h>
#include <arrow/type.h>
#include <parquet/arrow/reader.h>
#include <parquet/arrow/schema.h>
#include <parquet/file_reader.h>
#include <parquet/metadata.h>
#include <parquet/properties.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "primus/data/arrow_status.h"

#include "plugins/formats/parquet/parquet.pb.h"

namespace primus::formats {
namespace {

using data::FromArrow;

// The Parquet library reports part of what is wrong with a file by exceptions.
template <class Call>
auto Guarded(Call call) -> decltype(call()) {
  try {
    return call();
  } catch (const std::exception& error) {
    return DataLossError(error.what());
  }
}

Status Unreadable(const Status& cause, const std::string& path) {
  const std::string text =
      path + " cannot be read as Parquet: " + cause.message() +
      "; write it again, or take it out of the folder (names that start with _ or . are ignored)";
  return {cause.code() == StatusCode::kUnimplemented ? cause.code() : StatusCode::kDataLoss, text};
}

class ParquetReader final : public data::BatchReader {
 public:
  ParquetReader(std::unique_ptr<arrow::RecordBatchReader> batches, data::ReadScope scope,
                uint64_t rows_before, std::string path)
      : batches_(std::move(batches)),
        scope_(std::move(scope)),
        skip_(rows_before),
        left_(scope_.rows),
        path_(std::move(path)) {}

  Result<std::shared_ptr<arrow::RecordBatch>> Next() override {
    while (left_ > 0) {
      auto read = Guarded([&] { return FromArrow(batches_->Next()); });
      if (!read.ok()) return Unreadable(read.status(), path_);
      std::shared_ptr<arrow::RecordBatch> batch = *std::move(read);
      if (batch == nullptr) return Unreadable(DataLossError("rows are missing at its end"), path_);
      const auto rows = static_cast<uint64_t>(batch->num_rows());
      if (skip_ >= rows) {
        skip_ -= rows;
        continue;
      }
      const uint64_t take = std::min(rows - skip_, left_);
      batch = batch->Slice(static_cast<int64_t>(skip_), static_cast<int64_t>(take));
      skip_ = 0;
      left_ -= take;
      return Arrange(*batch);
    }
    return std::shared_ptr<arrow::RecordBatch>();
  }

 private:
  // Arrow yields columns in the file's order.
  Result<std::shared_ptr<arrow::RecordBatch>> Arrange(const arrow::RecordBatch& batch) const {
    arrow::FieldVector fields;
    arrow::ArrayVector columns;
    for (const std::string& name : scope_.columns) {
      const int index = batch.schema()->GetFieldIndex(name);
      if (index < 0) return Unreadable(DataLossError("column " + name + " is missing"), path_);
      fields.push_back(batch.schema()->field(index));
      columns.push_back(batch.column(index));
    }
    auto arranged = arrow::RecordBatch::Make(arrow::schema(std::move(fields)), batch.num_rows(),
                                             std::move(columns));
    const Status valid = FromArrow(arranged->Validate());
    if (!valid.ok()) return Unreadable(valid, path_);
    return arranged;
  }

  std::unique_ptr<arrow::RecordBatchReader> batches_;
  data::ReadScope scope_;
  uint64_t skip_;  // rows of the first row group that come before the scope
  uint64_t left_;
  std::string path_;
};

void AddLeaves(const parquet::arrow::SchemaField& field, std::vector<int>& leaves) {
  if (field.is_leaf()) leaves.push_back(field.column_index);
  for (const parquet::arrow::SchemaField& child : field.children) AddLeaves(child, leaves);
}

class ParquetFile final : public data::TableFile {
 public:
  ParquetFile(std::unique_ptr<parquet::arrow::FileReader> reader,
              std::shared_ptr<arrow::Schema> schema, std::vector<uint64_t> group_rows,
              std::string path)
      : reader_(std::move(reader)),
        schema_(std::move(schema)),
        group_rows_(std::move(group_rows)),
        path_(std::move(path)) {
    for (const uint64_t rows : group_rows_) rows_ += rows;
  }

  const std::shared_ptr<arrow::Schema>& schema() const override { return schema_; }
  uint64_t rows() const override { return rows_; }

  Result<std::unique_ptr<data::BatchReader>> Read(const data::ReadScope& scope) override {
    if (scope.first_row > rows_ || scope.rows > rows_ - scope.first_row) {
      return OutOfRangeError(path_ + " has " + std::to_string(rows_) + " rows, not rows " +
                             std::to_string(scope.first_row) + " to " +
                             std::to_string(scope.first_row + scope.rows));
    }
    PRIMUS_ASSIGN(const std::vector<int> leaves, FindLeaves(scope.columns));
    std::vector<int> groups;
    uint64_t rows_before = 0;
    uint64_t begin = 0;
    for (std::size_t group = 0; group < group_rows_.size(); ++group) {
      const uint64_t end = begin + group_rows_[group];
      const bool wanted = end > scope.first_row && begin < scope.first_row + scope.rows;
      if (wanted && groups.empty()) rows_before = scope.first_row - begin;
      if (wanted) groups.push_back(static_cast<int>(group));
      begin = end;
    }
    auto batches = Guarded([&]() -> Result<std::unique_ptr<arrow::RecordBatchReader>> {
      reader_->set_batch_size(scope.batch_rows);
      return FromArrow(reader_->GetRecordBatchReader(groups, leaves));
    });
    if (!batches.ok()) return Unreadable(batches.status(), path_);
    return std::unique_ptr<data::BatchReader>(
        std::make_unique<ParquetReader>(*std::move(batches), scope, rows_before, path_));
  }

 private:
  Result<std::vector<int>> FindLeaves(const std::vector<std::string>& columns) const {
    const auto& fields = reader_->manifest().schema_fields;
    std::vector<int> leaves;
    for (const std::string& name : columns) {
      const auto is_named = [&](const auto& field) { return field.field->name() == name; };
      const auto found = std::find_if(fields.begin(), fields.end(), is_named);
      if (found == fields.end()) return InvalidArgumentError(path_ + " has no column " + name);
      if (std::find_if(std::next(found), fields.end(), is_named) != fields.end()) {
        return InvalidArgumentError(path_ + " has two columns named " + name);
      }
      AddLeaves(*found, leaves);
    }
    std::sort(leaves.begin(), leaves.end());
    return leaves;
  }

  std::unique_ptr<parquet::arrow::FileReader> reader_;
  std::shared_ptr<arrow::Schema> schema_;
  std::vector<uint64_t> group_rows_;
  std::string path_;
  uint64_t rows_ = 0;
};

Result<std::vector<uint64_t>> GroupRows(const parquet::FileMetaData& metadata) {
  constexpr int64_t kRowsMax = int64_t{1} << 48;
  std::vector<uint64_t> rows;
  int64_t sum = 0;
  for (int group = 0; group < metadata.num_row_groups(); ++group) {
    const int64_t count = metadata.RowGroup(group)->num_rows();
    if (count < 0 || count > kRowsMax - sum) return DataLossError("its row counts make no sense");
    sum += count;
    rows.push_back(static_cast<uint64_t>(count));
  }
  if (sum != metadata.num_rows()) {
    return DataLossError("its footer says " + std::to_string(metadata.num_rows()) +
                         " rows, its row groups hold " + std::to_string(sum));
  }
  return rows;
}

Result<std::unique_ptr<data::TableFile>> OpenParquet(
    std::shared_ptr<arrow::io::RandomAccessFile> input, const std::string& path) {
  parquet::ReaderProperties properties = parquet::default_reader_properties();
  properties.set_page_checksum_verification(true);
  // Threads and read-ahead belong to the role, not to a library.
  parquet::ArrowReaderProperties arrow_properties(/*use_threads=*/false);
  arrow_properties.set_pre_buffer(false);
  parquet::arrow::FileReaderBuilder builder;
  PRIMUS_TRY(FromArrow(builder.Open(std::move(input), properties)));
  builder.properties(arrow_properties);
  PRIMUS_ASSIGN(auto reader, FromArrow(builder.Build()));
  PRIMUS_ASSIGN(auto group_rows, GroupRows(*reader->parquet_reader()->metadata()));
  std::shared_ptr<arrow::Schema> schema;
  PRIMUS_TRY(FromArrow(reader->GetSchema(&schema)));
  return std::unique_ptr<data::TableFile>(std::make_unique<ParquetFile>(
      std::move(reader), std::move(schema), std::move(group_rows), path));
}

class ParquetFormat final : public data::Format {
 public:
  Result<std::unique_ptr<data::TableFile>> Open(std::shared_ptr<arrow::io::RandomAccessFile> input,
                                                const std::string& path) const override {
    auto file = Guarded([&] { return OpenParquet(std::move(input), path); });
    if (!file.ok()) return Unreadable(file.status(), path);
    return file;
  }
};

}  // namespace

Result<std::unique_ptr<data::Format>> MakeParquetFormat(std::string_view options) {
  PRIMUS_TRY(config::ParseOptions<ParquetOptions>(options).status());
  return std::unique_ptr<data::Format>(std::make_unique<ParquetFormat>());
}

void AddParquet(data::FormatSlot& slot) {
  slot.Add("parquet", ParquetOptions::descriptor(), &MakeParquetFormat);
}

}  // namespace primus::formats
