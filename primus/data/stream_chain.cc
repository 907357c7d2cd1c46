#include "primus/data/stream_chain.h"

#include <arrow/array.h>
#include <arrow/record_batch.h>

#include <utility>

#include "primus/data/arrow_status.h"
#include "primus/data/origin_rows.h"

#include "proto/config/job.pb.h"

namespace primus::data {

StreamChain::StreamChain(StreamSources sources, ChainPlan plan)
    : sources_(std::move(sources)), plan_(std::move(plan)), base_encoder_(plan_, kBaseOrigin) {
  for (const FeaturePlan& feature : plan_.features) {
    const bool dense = feature.request.spec.source == jobspec::FeatureSource::kDense;
    ++(dense ? dense_features_ : key_features_);
  }
}

Result<std::unique_ptr<StreamChain>> StreamChain::Load(
    const ChainRequest& request, const DataSlots& slots, const std::string& root,
    const std::vector<std::chrono::sys_days>& days) {
  SpecProblems problems;
  auto sources = StreamSources::Create(*request.stream, slots, root, problems);
  PRIMUS_TRY(ToStatus(problems));
  const SourceSchemas schemas = sources->LoadSchemas(days, problems);
  PRIMUS_TRY(ToStatus(problems));
  auto plan = PlanChain(request, schemas, slots.operators, problems);
  PRIMUS_TRY(ToStatus(problems));
  std::unique_ptr<StreamChain> chain(new StreamChain(*std::move(sources), *std::move(plan)));
  for (std::size_t origin = 1; origin < chain->plan_.origins.size(); ++origin) {
    const std::string& source = chain->plan_.origins[origin].source;
    auto dimension = Dimension::Load(chain->sources_.store(source), chain->plan_, origin);
    if (!dimension.ok()) return dimension.status().WithContext("dimension", source);
    chain->dimensions_.push_back(*std::move(dimension));
  }
  return chain;
}

Result<std::shared_ptr<arrow::RecordBatch>> StreamChain::Complete(const arrow::RecordBatch& batch,
                                                                  const RowOrigin& origin) const {
  PRIMUS_ASSIGN(std::shared_ptr<arrow::RecordBatch> complete, DecodeColumns(batch));
  for (const ColumnUse& use : plan_.gathered) {
    PRIMUS_ASSIGN(const auto column, dimensions_[use.origin - 1]->Gather(use.name, *complete));
    PRIMUS_ASSIGN(complete,
                  FromArrow(complete->AddColumn(complete->num_columns(), use.name, column)));
  }
  return ApplyOperators(base_plan(), std::move(complete), origin);
}

}  // namespace primus::data
