#include "primus/train/plan_model.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

#include <algorithm>
#include <set>
#include <utility>

#include "primus/train/model_step.h"

#include "proto/config/job.pb.h"

namespace primus::train {
namespace {

constexpr std::string_view kNormal = "normal";
constexpr std::string_view kSgd = "sgd";

// Resolves one spec; mistakes pile up, so that all are told at once.
class Planner {
 public:
  Planner(const config::JobSpec& spec, const TrainSlots& slots, const config::SlotKeys& optimizers)
      : spec_(spec), slots_(slots), optimizers_(optimizers) {}

  Result<jobspec::ModelPlan> Run();

 private:
  void Mistake(const std::string& path, const std::string& text) {
    mistakes_ += (mistakes_.empty() ? "" : "\n") + path + ": " + text;
  }
  void ResolveLabel();
  void ChooseFeatures();
  void AddDeclaredTables();
  void AddFeature(const config::Feature& feature);
  uint32_t TableOf(const config::Feature& feature);
  void AddTable(const std::string& name, uint32_t dim, double std);
  double StdOf(const std::string& path, const config::Variant& init);
  void AddBaselines();
  int FindFeature(const std::string& path, const std::string& name);
  std::string SgdOfRateOne();

  const config::JobSpec& spec_;
  const TrainSlots& slots_;
  const config::SlotKeys& optimizers_;
  std::unique_ptr<Network> network_;
  NetworkNeeds needs_;
  std::vector<const config::Feature*> used_;
  jobspec::ModelPlan plan_;
  std::string mistakes_;
};

std::string FeaturePath(const config::Feature& feature) {
  return "spec.model.features[" + feature.name() + "]";
}

Result<std::unique_ptr<Network>> MakeNetwork(const config::JobSpec& spec,
                                             const NetworkSlot& networks) {
  const config::Variant& variant = spec.model().network();
  const NetworkFactory* factory = networks.Find(variant.key());
  if (factory == nullptr) {
    return InvalidArgumentError("spec.model.network: no network is called '" + variant.key() + "'");
  }
  return (*factory)(variant.options()).WithContext("spec.model.network." + variant.key());
}

void Planner::ResolveLabel() {
  if (!needs_.label) return;
  plan_.label_column = spec_.model().label().column();
  if (plan_.label_column.empty()) {
    Mistake("spec.model.label", "the network learns from a label, name its column");
  }
}

void Planner::ChooseFeatures() {
  std::set<std::string> missing(needs_.features.begin(), needs_.features.end());
  for (const config::Feature& feature : spec_.model().features()) {
    const bool named = std::ranges::find(needs_.features, feature.name()) != needs_.features.end();
    if (!needs_.features.empty() && !named) continue;
    used_.push_back(&feature);
    missing.erase(feature.name());
  }
  for (const std::string& name : missing) {
    Mistake("spec.model.network", "there is no feature '" + name + "'");
  }
}

void Planner::AddTable(const std::string& name, uint32_t dim, double std) {
  const config::Variant& optimizer = spec_.train().optimizer().tables();
  plan_.tables.push_back({.name = name,
                          .dim = dim,
                          .first_order = needs_.first_order,
                          .init_normal_std = needs_.start == TableStart::kZeros ? 0 : std,
                          .optimizer = optimizer.key(),
                          .optimizer_options = optimizer.options()});
}

double Planner::StdOf(const std::string& path, const config::Variant& init) {
  const std::string key = init.key().empty() ? std::string(kNormal) : init.key();
  const Initializer* initializer = slots_.initializers.Find(key);
  if (initializer == nullptr) {
    Mistake(path, "no initializer is called '" + key + "'");
    return 0;
  }
  const Result<double> std = (*initializer)(init.options());
  if (std.ok()) return *std;
  Mistake(path, std.status().message());
  return 0;
}

void Planner::AddDeclaredTables() {
  for (const config::Table& table : spec_.model().tables()) {
    const std::string path = "spec.model.tables[" + table.name() + "]";
    const double std = StdOf(path + ".init", table.init());
    const bool named = std::ranges::any_of(
        used_, [&](const config::Feature* feature) { return feature->table() == table.name(); });
    if (named) AddTable(table.name(), table.dim(), std);
  }
}

uint32_t Planner::TableOf(const config::Feature& feature) {
  const bool is_private = feature.table().empty();
  const std::string& name = is_private ? feature.name() : feature.table();
  const auto found = std::ranges::find(plan_.tables, name, &jobspec::TableSpec::name);
  const auto ordinal = static_cast<uint32_t>(found - plan_.tables.begin());
  if (!is_private) {
    if (found != plan_.tables.end()) return ordinal;
    Mistake(FeaturePath(feature) + ".table", "there is no table '" + name + "'");
    return 0;
  }
  if (found != plan_.tables.end()) {
    Mistake(FeaturePath(feature) + ".name",
            "its private table would be called as the declared table '" + name + "'");
    return 0;
  }
  if (feature.dim() == 0) {
    Mistake(FeaturePath(feature), "needs `table`, or `dim` for a table of its own");
    return 0;
  }
  AddTable(name, feature.dim(), StdOf(FeaturePath(feature), config::Variant()));
  return ordinal;
}

void Planner::AddFeature(const config::Feature& feature) {
  jobspec::FeatureSpec spec = jobspec::FeatureSpecOf(feature);
  if (spec.columns.empty() || spec.columns.front().empty()) {
    Mistake(FeaturePath(feature), "needs `column`, or the columns of `multiHot`");
  }
  if (spec.source != jobspec::FeatureSource::kDense) spec.table = TableOf(feature);
  plan_.features.push_back(std::move(spec));
}

int Planner::FindFeature(const std::string& path, const std::string& name) {
  for (std::size_t i = 0; i < plan_.features.size(); ++i) {
    const jobspec::FeatureSpec& feature = plan_.features[i];
    if (feature.name != name) continue;
    if (feature.source == jobspec::FeatureSource::kCategory) return static_cast<int>(i);
    Mistake(path, "'" + name + "' is not a category of one column");
    return -1;
  }
  Mistake(path, "the network uses no feature '" + name + "'");
  return -1;
}

std::string Planner::SgdOfRateOne() {
  const auto found = optimizers_.keys().find(kSgd);
  if (found == optimizers_.keys().end() || found->second == nullptr) {
    Mistake("spec.evaluate.baselines", "need the table optimizer 'sgd'");
    return {};
  }
  const google::protobuf::FieldDescriptor* rate = found->second->FindFieldByName("learning_rate");
  if (rate == nullptr || rate->cpp_type() != google::protobuf::FieldDescriptor::CPPTYPE_DOUBLE) {
    Mistake("spec.evaluate.baselines", "the table optimizer 'sgd' has no learningRate");
    return {};
  }
  const std::unique_ptr<google::protobuf::Message> options(
      google::protobuf::MessageFactory::generated_factory()->GetPrototype(found->second)->New());
  options->GetReflection()->SetDouble(options.get(), rate, 1);
  return options->SerializeAsString();
}

void Planner::AddBaselines() {
  if (!spec_.evaluate().has_baselines()) return;
  if (plan_.label_column.empty()) {
    return Mistake("spec.evaluate.baselines", "need a label, which the network does not use");
  }
  const config::Baselines& baselines = spec_.evaluate().baselines();
  plan_.baseline_item = FindFeature("spec.evaluate.baselines.item", baselines.item());
  if (!baselines.user().empty()) {
    plan_.baseline_user = FindFeature("spec.evaluate.baselines.user", baselines.user());
  }
  plan_.baseline_table = static_cast<uint32_t>(plan_.tables.size());
  plan_.tables.push_back({.name = std::string(kBaselineTable),
                          .dim = 2,
                          .first_order = false,
                          .init_normal_std = 0,
                          .optimizer = std::string(kSgd),
                          .optimizer_options = SgdOfRateOne()});
}

Result<jobspec::ModelPlan> Planner::Run() {
  PRIMUS_ASSIGN(network_, MakeNetwork(spec_, slots_.networks));
  needs_ = network_->Needs();
  plan_.seed = spec_.seed();
  plan_.dense_optimizer = spec_.train().optimizer().dense().key();
  plan_.dense_optimizer_options = spec_.train().optimizer().dense().options();
  ResolveLabel();
  ChooseFeatures();
  AddDeclaredTables();
  for (const config::Feature* feature : used_) AddFeature(*feature);
  if (mistakes_.empty()) {
    const Status checked = network_->Check(plan_);
    if (checked.ok()) {
      plan_.dense = network_->Segments(plan_);
    } else {
      mistakes_ = checked.message();
    }
  }
  AddBaselines();
  if (!mistakes_.empty()) return InvalidArgumentError(mistakes_);
  return std::move(plan_);
}

}  // namespace

Result<jobspec::ModelPlan> PlanModel(const config::JobSpec& spec, const TrainSlots& slots,
                                     const config::SlotKeys& table_optimizers) {
  return Planner(spec, slots, table_optimizers).Run();
}

batch::Layout LayoutOf(const jobspec::ModelPlan& plan) {
  batch::Layout layout;
  for (const jobspec::FeatureSpec& feature : plan.features) {
    const bool dense = feature.source == jobspec::FeatureSource::kDense;
    layout.features.push_back(
        {feature.name, dense ? batch::FeatureKind::kDense : batch::FeatureKind::kKeys});
  }
  return layout;
}

Result<std::unique_ptr<Step>> MakeStep(const config::JobSpec& spec, const jobspec::ModelPlan& plan,
                                       const TrainSlots& slots) {
  PRIMUS_ASSIGN(const std::unique_ptr<Network> network, MakeNetwork(spec, slots.networks));
  std::unique_ptr<Loss> loss;
  if (network->Needs().label) {
    const config::Variant& variant = spec.train().loss();
    const LossFactory* factory = slots.losses.Find(variant.key());
    if (factory == nullptr) {
      return InvalidArgumentError("spec.train.loss: no loss is called '" + variant.key() + "'");
    }
    PRIMUS_ASSIGN(loss, (*factory)(variant.options()).WithContext("spec.train.loss"));
  }
  std::unique_ptr<Step> step =
      std::make_unique<ModelStep>(plan, network->BuildModel(plan, std::move(loss)));
  return step;
}

}  // namespace primus::train
