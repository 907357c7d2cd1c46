#include "primus/data/chain_plan.h"

#include <arrow/type.h>

#include <algorithm>
#include <set>
#include <utility>

#include "primus/data/discrete_values.h"
#include "primus/data/feature_encoder.h"
#include "primus/data/time_unit.h"
#include "primus/jobspec/sources.h"

#include "proto/config/job.pb.h"

namespace primus::data {
namespace {

arrow::TimeUnit::type UnitOf(config::TimeUnit unit) {
  switch (unit) {
    case config::Millisecond:
      return arrow::TimeUnit::MILLI;
    case config::Microsecond:
      return arrow::TimeUnit::MICRO;
    case config::Nanosecond:
      return arrow::TimeUnit::NANO;
    default:
      return arrow::TimeUnit::SECOND;
  }
}

// An operator with the places of its inputs.
struct PlannedOperator {
  std::shared_ptr<const Operator> op;
  std::size_t origin = kBaseOrigin;
  std::vector<ColumnPlace> inputs;
};

std::string FeaturePath(const jobspec::FeatureSpec& feature, std::size_t column) {
  const std::string path = "spec.model.features[" + feature.name + "]";
  if (feature.source != jobspec::FeatureSource::kMultiHot) return path + ".column";
  return path + ".multiHot.columns[" + std::to_string(column) + "]";
}

// Where rows that have all of these columns are: their only origin, or else the base.
std::size_t CommonOrigin(const std::vector<ColumnPlace>& places) {
  for (const ColumnPlace& place : places) {
    if (place.origin != places.front().origin) return kBaseOrigin;
  }
  return places.empty() ? kBaseOrigin : places.front().origin;
}

class Planner {
 public:
  Planner(const ChainRequest& request, const SourceSchemas& schemas, const OperatorSlot& slot,
          SpecProblems& problems)
      : request_(request),
        stream_(*request.stream),
        schemas_(schemas),
        slot_(slot),
        problems_(problems),
        path_("spec.data.streams[" + stream_.name() + "]") {}

  std::optional<ChainPlan> Run() {
    const std::size_t before = problems_.size();
    if (!AddBase()) return std::nullopt;
    for (const config::Join& join : stream_.join()) AddJoin(join);
    for (int i = 0; i < stream_.operators_size(); ++i) AddOperator(i);
    for (const FeatureRequest& feature : request_.features) AddFeature(feature);
    AddLabel();
    AddEventTime();
    if (problems_.size() > before) return std::nullopt;
    KeepNeededOperators();
    for (std::size_t origin = 0; origin < plan_.origins.size(); ++origin) ChooseColumns(origin);
    plan_.gathered.assign(gathered_.begin(), gathered_.end());
    return std::move(plan_);
  }

 private:
  void Problem(const std::string& path, const std::string& text) {
    problems_.push_back({path, text});
  }

  bool AddBase() {
    const std::string& base = stream_.base();
    const config::Source* source = jobspec::BaseOf(stream_);
    const auto schema = schemas_.find(base);
    if (source == nullptr || schema == schemas_.end()) {
      Problem(path_ + ".base", "no columns are known of base source " + base);
      return false;
    }
    context_.event_time_column = source->event_time().column();
    context_.event_time_unit = UnitOf(source->event_time().unit());
    AddOrigin(base, *schema->second, {});
    return true;
  }

  void AddOrigin(const std::string& source, const arrow::Schema& schema,
                 std::vector<std::string> join_keys) {
    const std::size_t origin = plan_.origins.size();
    catalog_.AddOrigin(source);
    for (const auto& field : schema.fields()) {
      // A join key's values are those of the base.
      if (std::count(join_keys.begin(), join_keys.end(), field->name()) > 0) continue;
      catalog_.Add({origin, field->name(), DecodedType(field->type())});
    }
    plan_.origins.push_back({source, {}, nullptr, std::move(join_keys), {}});
  }

  void AddJoin(const config::Join& join) {
    const std::string path = path_ + ".join[" + join.source() + "]";
    const auto schema = schemas_.find(join.source());
    if (schema == schemas_.end()) {
      Problem(path + ".source", "no columns are known of source " + join.source());
      return;
    }
    const auto base = schemas_.find(plan_.origins.front().source);
    std::vector<std::string> keys(join.keys().begin(), join.keys().end());
    for (const std::string& key : keys) {
      const auto left = base->second->GetFieldByName(key);
      const auto right = schema->second->GetFieldByName(key);
      if (left == nullptr || right == nullptr) {
        const std::string& missing = left == nullptr ? base->first : join.source();
        Problem(path + ".keys",
                "expected columns of both sides; source " + missing + " has no column " + key);
        continue;
      }
      CheckJoinTypes(path, key, *DecodedType(left->type()), *DecodedType(right->type()));
    }
    if (keys.empty()) Problem(path + ".keys", "expected at least one column");
    AddOrigin(join.source(), *schema->second, std::move(keys));
  }

  void CheckJoinTypes(const std::string& path, const std::string& key, const arrow::DataType& left,
                      const arrow::DataType& right) {
    const bool discrete = IsDiscreteType(left) && IsDiscreteType(right);
    if (discrete && ComparisonClass(left) == ComparisonClass(right)) return;
    Problem(path + ".keys", "expected key " + key + " to have types that can be compared; it is " +
                                left.ToString() + " in the base and " + right.ToString() +
                                " in the dimension");
  }

  // The column, or else a problem; that is said already of what a refused operator would have
  // added.
  std::optional<ColumnPlace> Find(const std::string& name, const std::string& path) {
    auto place = catalog_.Find(name);
    if (place.ok()) return *std::move(place);
    if (!outputs_.contains(name)) Problem(path, place.status().message());
    return std::nullopt;
  }

  bool FindInputs(const std::string& path, PlannedOperator* planned,
                  std::vector<std::shared_ptr<arrow::DataType>>* types) {
    for (const std::string& input : planned->op->inputs()) {
      auto place = Find(input, path);
      if (!place) return false;
      types->push_back(place->type);
      planned->inputs.push_back(*std::move(place));
    }
    return true;
  }

  void AddOperator(int index) {
    const config::Variant& variant = stream_.operators(index);
    const std::string path = path_ + ".operators[" + std::to_string(index) + "]." + variant.key();
    const OperatorFactory* make = slot_.Find(variant.key());
    if (make == nullptr) return Problem(path, "there is no operator " + variant.key());
    auto made = (*make)(variant.options(), context_);
    if (!made.ok()) return Problem(path, made.status().message());
    PlannedOperator planned{*std::move(made), kBaseOrigin, {}};
    std::vector<std::shared_ptr<arrow::DataType>> types;
    const bool has_inputs = FindInputs(path + ".column", &planned, &types);
    outputs_.insert(planned.op->output());
    if (!has_inputs) return;
    auto type = planned.op->Check(types);
    if (!type.ok()) return Problem(path + ".column", type.status().message());
    const std::string& output = planned.op->output();
    if (catalog_.Has(output)) {
      return Problem(path + ".into", "there is a column " + output + " already");
    }
    planned.origin = CommonOrigin(planned.inputs);
    catalog_.Add({planned.origin, output, *std::move(type)});
    operators_.push_back(std::move(planned));
  }

  // Marks what rows of `origin` need.
  void Need(std::size_t origin, const std::vector<ColumnPlace>& places) {
    for (const ColumnPlace& place : places) {
      needed_.insert({place.origin, place.name});
      if (place.origin != origin) gathered_.insert({place.origin, place.name});
    }
  }

  void AddFeature(const FeatureRequest& feature) {
    std::vector<ColumnPlace> places;
    const std::vector<std::string>& columns = feature.spec.columns;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const std::string path = FeaturePath(feature.spec, i);
      auto place = Find(columns[i], path);
      if (!place) continue;
      const Status fits = CheckFeatureType(feature.spec, columns[i], *place->type);
      if (!fits.ok()) Problem(path, fits.message());
      places.push_back(*std::move(place));
    }
    const std::size_t origin = CommonOrigin(places);
    Need(origin, places);
    plan_.features.push_back({feature, origin});
  }

  void AddLabel() {
    if (request_.label_column.empty()) return;
    const std::string path = "spec.model.label.column";
    const auto place = Find(request_.label_column, path);
    if (!place) return;
    const Status fits = CheckLabelType(place->name, *place->type);
    if (!fits.ok()) return Problem(path, fits.message());
    plan_.label_column = request_.label_column;
    Need(kBaseOrigin, {*place});
  }

  void AddEventTime() {
    if (context_.event_time_column.empty()) return;
    const std::string path =
        path_ + ".sources[" + plan_.origins.front().source + "].eventTime.column";
    auto place = catalog_.Find(context_.event_time_column);
    if (!place.ok()) return Problem(path, place.status().message());
    if (place->origin != kBaseOrigin) {
      return Problem(path, "expected a column of this source; " + place->name + " comes from " +
                               catalog_.source(place->origin));
    }
    EventTimePlan event_time{place->name, NanosOf(context_.event_time_unit)};
    const arrow::DataType& type = *place->type;
    if (type.id() == arrow::Type::TIMESTAMP) {
      event_time.nanos = NanosOf(static_cast<const arrow::TimestampType&>(type).unit());
    } else if (ComparisonClass(type) != "integer") {
      return Problem(path, "expected a timestamp or integer column; " + place->name + " is " +
                               type.ToString());
    }
    if (!request_.reads_event_time) return;
    plan_.event_time = event_time;
    Need(kBaseOrigin, {*place});
  }

  void KeepNeededOperators() {
    for (auto planned = operators_.rbegin(); planned != operators_.rend(); ++planned) {
      if (!needed_.contains({planned->origin, planned->op->output()})) continue;
      Need(planned->origin, planned->inputs);
      auto& operators = plan_.origins[planned->origin].operators;
      operators.insert(operators.begin(), planned->op);
    }
  }

  void ChooseColumns(std::size_t origin) {
    OriginPlan& plan = plan_.origins[origin];
    std::set<std::string> wanted(plan.join_keys.begin(), plan.join_keys.end());
    for (const ColumnUse& use : needed_) {
      if (use.origin == origin) wanted.insert(use.name);
    }
    if (origin == kBaseOrigin) {
      for (const OriginPlan& other : plan_.origins) {
        wanted.insert(other.join_keys.begin(), other.join_keys.end());
      }
    }
    arrow::FieldVector fields;
    for (const auto& field : schemas_.find(plan.source)->second->fields()) {
      if (!wanted.contains(field->name())) continue;
      plan.columns.push_back(field->name());
      fields.push_back(arrow::field(field->name(), DecodedType(field->type())));
    }
    plan.schema = arrow::schema(std::move(fields));
  }

  const ChainRequest& request_;
  const config::Stream& stream_;
  const SourceSchemas& schemas_;
  const OperatorSlot& slot_;
  SpecProblems& problems_;
  const std::string path_;
  OperatorContext context_;
  ColumnCatalog catalog_;
  ChainPlan plan_;
  std::vector<PlannedOperator> operators_;
  std::set<std::string> outputs_;  // of operators, refused ones too
  std::set<ColumnUse> needed_;
  std::set<ColumnUse> gathered_;
};

}  // namespace

std::optional<ChainPlan> PlanChain(const ChainRequest& request, const SourceSchemas& schemas,
                                   const OperatorSlot& operators, SpecProblems& problems) {
  return Planner(request, schemas, operators, problems).Run();
}

}  // namespace primus::data
