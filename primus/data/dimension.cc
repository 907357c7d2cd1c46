#include "primus/data/dimension.h"

#include <arrow/array.h>
#include <arrow/array/builder_primitive.h>
#include <arrow/compute/api_vector.h>
#include <arrow/datum.h>
#include <arrow/record_batch.h>
#include <arrow/table.h>
#include <arrow/type.h>

#include <numeric>
#include <utility>

#include "primus/data/arrow_status.h"
#include "primus/data/origin_rows.h"

namespace primus::data {
namespace {

KeyArrays KeysOf(const arrow::RecordBatch& batch, const std::vector<std::string>& names) {
  KeyArrays keys;
  for (const std::string& name : names) keys.push_back(batch.GetColumnByName(name));
  return keys;
}

std::vector<int64_t> AllRows(int64_t count) {
  std::vector<int64_t> rows(static_cast<std::size_t>(count));
  std::iota(rows.begin(), rows.end(), 0);
  return rows;
}

// All rows of a source without windows, in the order of its files.
Result<std::shared_ptr<arrow::RecordBatch>> LoadRows(SourceStore& store, const OriginPlan& plan,
                                                     RowOrigin& origin) {
  PRIMUS_ASSIGN(const FileListing listing, store.List(std::nullopt));
  if (!listing.awaits.empty()) {
    return FailedPreconditionError("its marker " + listing.awaits + " (ready.marker) is not there");
  }
  arrow::RecordBatchVector batches;
  int64_t loaded = 0;
  for (const StoredFile& file : listing.files) {
    PRIMUS_ASSIGN(const OpenedFile opened, store.Open(file.path));
    PRIMUS_TRY(CheckFileSchema(*opened.table, plan, file.path));
    origin.Append(file.path, 0, loaded);
    PRIMUS_ASSIGN(auto reader, opened.table->Read({plan.columns, 0, opened.table->rows()}));
    while (true) {
      PRIMUS_ASSIGN(const auto batch, reader->Next());
      if (batch == nullptr) break;
      PRIMUS_ASSIGN(auto decoded, DecodeColumns(*batch));
      loaded += decoded->num_rows();
      batches.push_back(std::move(decoded));
    }
  }
  PRIMUS_ASSIGN(const auto table,
                FromArrow(arrow::Table::FromRecordBatches(plan.schema, std::move(batches))));
  return FromArrow(table->CombineChunksToBatch());
}

}  // namespace

Dimension::Dimension(const ChainPlan& plan, std::size_t origin)
    : source_(plan.origins[origin].source),
      join_keys_(plan.origins[origin].join_keys),
      encoder_(plan, origin) {}

Result<std::unique_ptr<Dimension>> Dimension::Load(SourceStore& store, const ChainPlan& plan,
                                                   std::size_t origin) {
  std::unique_ptr<Dimension> dimension(new Dimension(plan, origin));
  RowOrigin where;
  PRIMUS_ASSIGN(auto rows, LoadRows(store, plan.origins[origin], where));
  PRIMUS_ASSIGN(dimension->index_, JoinIndex::Build(KeysOf(*rows, dimension->join_keys_), where));
  PRIMUS_ASSIGN(dimension->rows_, ApplyOperators(plan.origins[origin], std::move(rows), where));
  const std::vector<int64_t> all = AllRows(dimension->rows_->num_rows());
  PRIMUS_TRY(
      dimension->encoder_.Append({dimension->rows_.get(), all, &where}, dimension->encoded_));
  return dimension;
}

Status Dimension::Match(const RowSelection& selection, std::vector<int32_t>& matches) const {
  const std::size_t before = matches.size();
  PRIMUS_TRY(index_.Find(KeysOf(*selection.batch, join_keys_), selection.rows, matches));
  return CheckMissing(selection, std::span(matches).subspan(before));
}

Status Dimension::CheckMissing(const RowSelection& selection,
                               std::span<const int32_t> matches) const {
  for (const OriginEncoder::Feature& feature : encoder_.dense_features()) {
    const jobspec::FeatureSpec& spec = feature.encoder.spec();
    if (spec.has_missing) continue;
    for (std::size_t i = 0; i < matches.size(); ++i) {
      if (matches[i] != JoinIndex::kNoMatch) continue;
      return InvalidArgumentError(selection.origin->At(selection.rows[i]) + " has no match in " +
                                  source_ + ", and feature " + spec.name +
                                  " gives no value for missing");
    }
  }
  return OkStatus();
}

Result<std::shared_ptr<arrow::Array>> Dimension::Gather(const std::string& column,
                                                        const arrow::RecordBatch& base) const {
  std::vector<int32_t> matches;
  const std::vector<int64_t> all = AllRows(base.num_rows());
  PRIMUS_TRY(index_.Find(KeysOf(base, join_keys_), all, matches));
  arrow::Int32Builder indices;
  for (const int32_t match : matches) {
    PRIMUS_TRY(
        FromArrow(match == JoinIndex::kNoMatch ? indices.AppendNull() : indices.Append(match)));
  }
  PRIMUS_ASSIGN(const auto array, FromArrow(indices.Finish()));
  PRIMUS_ASSIGN(const arrow::Datum taken,
                FromArrow(arrow::compute::Take(rows_->GetColumnByName(column), array)));
  return taken.make_array();
}

}  // namespace primus::data
