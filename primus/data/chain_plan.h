// What is read, joined, computed and encoded for a stream, resolved against the schemas of its
// sources: the columns of each origin (column_catalog.h), the operators that run on its rows, and
// the features that come from it.
//
// Only what a feature, the label, a join or the event time needs is in it. The same job and
// schemas give the same plan everywhere. Immutable once made.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "primus/data/column_catalog.h"
#include "primus/data/data_slots.h"
#include "primus/data/spec_problem.h"
#include "primus/jobspec/model_plan.h"

namespace primus::config {
class Stream;
}  // namespace primus::config

namespace primus::data {

// A feature as asked for, with the name of its table and its place in the job file.
struct FeatureRequest {
  jobspec::FeatureSpec spec;
  std::string table;  // key features
};

struct ChainRequest {
  const config::Stream* stream = nullptr;
  std::vector<FeatureRequest> features;
  std::string label_column;      // empty: labels are 0
  bool reads_event_time = true;  // false when no phase has a time range
};

// By source; a schema with the columns that its first file has.
using SourceSchemas = std::map<std::string, std::shared_ptr<arrow::Schema>, std::less<>>;

struct ColumnUse {
  std::size_t origin = kBaseOrigin;
  std::string name;
  auto operator<=>(const ColumnUse&) const = default;
};

// The rows of the base source or of one dimension.
struct OriginPlan {
  std::string source;
  std::vector<std::string> columns;       // read from its files, in the schema's order
  std::shared_ptr<arrow::Schema> schema;  // of `columns`; what every file must have
  std::vector<std::string> join_keys;     // dimensions: columns here and in the base
  std::vector<std::shared_ptr<const Operator>> operators;  // in order
};

struct FeaturePlan {
  FeatureRequest request;
  std::size_t origin = kBaseOrigin;
};

struct EventTimePlan {
  std::string column;
  int64_t nanos = 1;  // per unit of the column's integers
};

struct ChainPlan {
  std::vector<OriginPlan> origins;    // the base, then dimensions in the order of the joins
  std::vector<ColumnUse> gathered;    // dimension columns that base rows need for themselves
  std::vector<FeaturePlan> features;  // in the request's order
  std::string label_column;           // of the base (gathered if need be); may be empty
  std::optional<EventTimePlan> event_time;
};

// Nothing if any problem was added.
std::optional<ChainPlan> PlanChain(const ChainRequest& request, const SourceSchemas& schemas,
                                   const OperatorSlot& operators, SpecProblems& problems);

}  // namespace primus::data
