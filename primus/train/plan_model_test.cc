#include "primus/train/plan_model.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "primus/train/fm_interaction.h"
#include "primus/train/linear_terms.h"
#include "primus/train/logit_network.h"

#include "proto/config/job.pb.h"

namespace primus::train {
namespace {

// FM over all features, or over those that the options name, comma between.
Result<std::unique_ptr<Network>> MakeFm(std::string_view options) {
  NetworkNeeds needs;
  if (const auto comma = options.find(','); comma != std::string_view::npos) {
    needs.features = {std::string(options.substr(0, comma)),
                      std::string(options.substr(comma + 1))};
  }
  return std::unique_ptr<Network>(
      std::make_unique<LogitNetwork>(needs, Dims::kEqual, [](const InputShape& shape) {
        return PartsOf(std::make_unique<LinearTerms>(shape),
                       std::make_unique<FmInteraction>(shape));
      }));
}

// The options' text is the standard deviation.
Result<double> StdFromText(std::string_view options) {
  if (options.empty()) return 0.01;
  return std::stod(std::string(options));
}

class Slots {
 public:
  Slots() {
    train.networks.Add("fm", nullptr, &MakeFm);
    train.initializers.Add("normal", nullptr, &StdFromText);
    optimizers.Add("adagrad", nullptr, 0);
  }
  TrainSlots train;
  config::Slot<int> optimizers{"tableOptimizers"};
};

config::Feature* AddFeature(config::JobSpec& spec, const std::string& name) {
  config::Feature* feature = spec.mutable_model()->add_features();
  feature->set_name(name);
  feature->set_column(name + "_id");
  return feature;
}

// movie (declared table), user (private), price (dense), genres (multi-hot, private).
config::JobSpec Spec() {
  config::JobSpec spec;
  spec.set_seed(42);
  spec.mutable_model()->mutable_label()->set_column("liked");
  spec.mutable_model()->mutable_network()->set_key("fm");
  for (const char* name : {"unused", "movie"}) {
    config::Table* table = spec.mutable_model()->add_tables();
    table->set_name(name);
    table->set_dim(8);
    table->mutable_init()->set_key("normal");
    table->mutable_init()->set_options("0.5");
  }
  AddFeature(spec, "user")->set_dim(8);
  AddFeature(spec, "movie")->set_table("movie");
  config::Feature* price = AddFeature(spec, "price");
  price->mutable_dense()->set_missing(3);
  config::Feature* genres = spec.mutable_model()->add_features();
  genres->set_name("genres");
  genres->set_dim(8);
  genres->set_combiner(config::Mean);
  for (const char* column : {"Action", "Comedy"}) {
    genres->mutable_multi_hot()->add_columns(column);
  }
  config::Optimizer* optimizer = spec.mutable_train()->mutable_optimizer();
  optimizer->mutable_tables()->set_key("adagrad");
  optimizer->mutable_tables()->set_options("A");
  optimizer->mutable_dense()->set_key("adam");
  optimizer->mutable_dense()->set_options("D");
  return spec;
}

Result<jobspec::ModelPlan> PlanOf(const config::JobSpec& spec) {
  const Slots slots;
  return PlanModel(spec, slots.train, slots.optimizers);
}

TEST(PlanModel, ResolvesTablesAndFeatures) {
  const jobspec::ModelPlan plan = PlanOf(Spec()).value();
  EXPECT_EQ(plan.label_column, "liked");
  EXPECT_EQ(plan.seed, 42U);
  ASSERT_EQ(plan.tables.size(), 3U);  // no feature uses the table `unused`
  EXPECT_EQ(plan.tables[0].name, "movie");
  EXPECT_EQ(plan.tables[0].init_normal_std, 0.5);
  EXPECT_EQ(plan.tables[0].width(), 9U);  // with the first-order weight
  EXPECT_EQ(plan.tables[0].optimizer, "adagrad");
  EXPECT_EQ(plan.tables[0].optimizer_options, "A");
  EXPECT_EQ(plan.tables[1].name, "user");
  EXPECT_EQ(plan.tables[1].init_normal_std, 0.01);
  EXPECT_EQ(plan.tables[2].name, "genres");
  ASSERT_EQ(plan.features.size(), 4U);
  EXPECT_EQ(plan.features[0].name, "user");
  EXPECT_EQ(plan.features[0].table, 1U);
  EXPECT_EQ(plan.features[1].table, 0U);
  EXPECT_EQ(plan.features[2].source, jobspec::FeatureSource::kDense);
  EXPECT_TRUE(plan.features[2].has_missing);
  EXPECT_EQ(plan.features[2].missing, 3);
  EXPECT_EQ(plan.features[3].columns, (std::vector<std::string>{"Action", "Comedy"}));
  EXPECT_EQ(plan.features[3].combiner, jobspec::CombinerKind::kMean);
  EXPECT_EQ(plan.dense_optimizer, "adam");
  EXPECT_EQ(plan.dense_optimizer_options, "D");
  EXPECT_EQ(plan.dense_values(), 2U);  // bias and the weight of price
  EXPECT_EQ(plan.baseline_item, -1);
}

TEST(PlanModel, KeepsOnlyWhatTheNetworkUses) {
  config::JobSpec spec = Spec();
  spec.mutable_model()->mutable_network()->set_options("movie,user");
  const jobspec::ModelPlan plan = PlanOf(spec).value();
  ASSERT_EQ(plan.features.size(), 2U);
  EXPECT_EQ(plan.features[0].name, "user");
  EXPECT_EQ(plan.features[1].name, "movie");
  EXPECT_EQ(plan.tables.size(), 2U);
  const batch::Layout layout = LayoutOf(plan);
  EXPECT_EQ(
      layout,
      (batch::Layout{{{"user", batch::FeatureKind::kKeys}, {"movie", batch::FeatureKind::kKeys}}}));
}

TEST(PlanModel, LayoutNamesDenseFeaturesInOrder) {
  const batch::Layout layout = LayoutOf(PlanOf(Spec()).value());
  ASSERT_EQ(layout.features.size(), 4U);
  EXPECT_EQ(layout.features[2].name, "price");
  EXPECT_EQ(layout.features[2].kind, batch::FeatureKind::kDense);
}

TEST(PlanModel, TellsEveryMistakeAtOnce) {
  config::JobSpec spec = Spec();
  spec.mutable_model()->mutable_features(1)->set_table("films");
  spec.mutable_model()->mutable_features(0)->clear_dim();
  spec.mutable_model()->clear_label();
  EXPECT_EQ(PlanOf(spec).status().message(),
            "spec.model.label: the network learns from a label, name its column\n"
            "spec.model.features[user]: needs `table`, or `dim` for a table of its own\n"
            "spec.model.features[movie].table: there is no table 'films'");
}

TEST(PlanModel, RefusesDimsThatCannotBeMultiplied) {
  config::JobSpec spec = Spec();
  spec.mutable_model()->mutable_features(0)->set_dim(4);
  EXPECT_EQ(PlanOf(spec).status().message(),
            "spec.model.network: multiplies vectors of one dim, but user has dim 4 and movie has "
            "dim 8");
}

TEST(PlanModel, RefusesNamesThatAreNotThere) {
  config::JobSpec spec = Spec();
  spec.mutable_model()->mutable_network()->set_options("movie,author");
  EXPECT_EQ(PlanOf(spec).status().message(), "spec.model.network: there is no feature 'author'");
  spec = Spec();
  spec.mutable_model()->mutable_network()->set_key("resnet");
  EXPECT_EQ(PlanOf(spec).status().message(), "spec.model.network: no network is called 'resnet'");
  spec = Spec();
  spec.mutable_evaluate()->mutable_baselines()->set_item("genres");
  EXPECT_EQ(PlanOf(spec).status().message(),
            "spec.evaluate.baselines.item: 'genres' is not a category of one column\n"
            "spec.evaluate.baselines: need the table optimizer 'sgd'");
}

}  // namespace
}  // namespace primus::train
