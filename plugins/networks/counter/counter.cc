#include "plugins/networks/counter/counter.h"

#include <utility>

#include "plugins/networks/counter/counter.pb.h"

namespace primus::networks {
namespace {

class CounterModel final : public train::Model {
 public:
  explicit CounterModel(std::vector<uint32_t> tables) : tables_(std::move(tables)) {}

  Status Run(const train::ModelInput& input, train::ModelOutput* output) override {
    if (input.want == train::Want::kPredictions) return OkStatus();
    for (std::size_t feature = 0; feature < tables_.size(); ++feature) {
      std::vector<float>& gradient = output->gradients[tables_[feature]];
      for (const uint32_t slot : input.keys.slots[feature]) gradient[slot] -= 1;
    }
    return OkStatus();
  }

 private:
  std::vector<uint32_t> tables_;  // by key feature
};

class CounterNetwork final : public train::Network {
 public:
  train::NetworkNeeds Needs() const override {
    train::NetworkNeeds needs;
    needs.label = false;
    needs.first_order = false;
    needs.start = train::TableStart::kZeros;
    return needs;
  }

  Status Check(const jobspec::ModelPlan& plan) const override {
    if (plan.tables.size() != 1 || plan.tables.front().dim != 1) {
      return InvalidArgumentError("spec.model: the counter network has one table, of dim 1");
    }
    return OkStatus();
  }

  std::vector<jobspec::DenseSegment> Segments(const jobspec::ModelPlan& /*plan*/) const override {
    return {};
  }

  std::unique_ptr<train::Model> BuildModel(const jobspec::ModelPlan& plan,
                                           std::unique_ptr<train::Loss> /*loss*/) const override {
    return std::make_unique<CounterModel>(train::KeyFeatureTables(plan));
  }
};

}  // namespace

Result<std::unique_ptr<train::Network>> MakeCounter(std::string_view options) {
  PRIMUS_TRY(config::ParseOptions<CounterOptions>(options).status());
  return std::unique_ptr<train::Network>(std::make_unique<CounterNetwork>());
}

void AddCounter(train::NetworkSlot& slot) {
  slot.Add("counter", CounterOptions::descriptor(), &MakeCounter);
}

}  // namespace primus::networks
