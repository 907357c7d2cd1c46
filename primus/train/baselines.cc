#include "primus/train/baselines.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

#include "primus/base/check.h"

namespace primus::train {
namespace {

constexpr uint64_t kWholeSet = 0;
constexpr double kPriorRows = 5;

// The place of feature `ordinal` of the plan among its key features.
int KeyOrdinal(const jobspec::ModelPlan& plan, int ordinal) {
  if (ordinal < 0) return -1;
  int keys = 0;
  for (int i = 0; i < ordinal; ++i) {
    const auto source = plan.features[static_cast<std::size_t>(i)].source;
    if (source != jobspec::FeatureSource::kDense) ++keys;
  }
  return keys;
}

// The row's key of a feature; nothing if it has none.
std::optional<uint64_t> KeyOf(const batch::MiniBatchView& batch, int feature, std::size_t row) {
  if (feature < 0) return std::nullopt;
  const auto ordinal = static_cast<std::size_t>(feature);
  const auto offsets = batch.offsets(ordinal);
  if (offsets[row] == offsets[row + 1]) return std::nullopt;
  return batch.keys(ordinal)[offsets[row]];
}

bool TouchesCounts(const batch::MiniBatchInfo& info) {
  return info.purpose != batch::Purpose::kTrain || info.pass == 0;
}

struct Count {
  double likes = 0;
  double rows = 0;
};

double Logit(double probability) {
  // The ends are those of a double sum of logits that still separates them.
  const double p = std::clamp(probability, 1e-9, 1 - 1e-9);
  return std::log(p / (1 - p));
}

double Smoothed(const Count& count, double mean) {
  return (count.likes + kPriorRows * mean) / (count.rows + kPriorRows);
}

}  // namespace

Baselines::Baselines(const jobspec::ModelPlan& plan)
    : item_(KeyOrdinal(plan, plan.baseline_item)), user_(KeyOrdinal(plan, plan.baseline_user)) {
  PRIMUS_CHECK(item_ >= 0, "baselines are by item");
}

std::vector<uint64_t> Baselines::Keys(const batch::MiniBatchView& batch) const {
  if (!TouchesCounts(batch.info())) return {};
  UniqueKeys unique;
  unique.Reset(2 * batch.rows() + 1);
  unique.Add(kWholeSet);
  for (std::size_t row = 0; row < batch.rows(); ++row) {
    for (const int feature : {item_, user_}) {
      if (const auto key = KeyOf(batch, feature, row)) unique.Add(*key);
    }
  }
  return unique.Take();
}

std::vector<Prediction> Baselines::Predict(const batch::MiniBatchView& batch,
                                           const std::vector<uint64_t>& keys,
                                           const std::vector<float>& rows) const {
  if (batch.info().purpose == batch::Purpose::kTrain) return {};
  std::map<uint64_t, Count> counts;
  for (std::size_t i = 0; i < keys.size(); ++i) counts[keys[i]] = {rows[2 * i], rows[2 * i + 1]};
  const Count whole = counts[kWholeSet];
  const double mean = whole.rows > 0 ? whole.likes / whole.rows : 0.5;
  const auto smoothed = [&](int feature, std::size_t row) {
    const auto key = KeyOf(batch, feature, row);
    return key ? Smoothed(counts[*key], mean) : mean;
  };
  Prediction constant{.predictor = Predictor::kConstant, .logits = {}};
  Prediction item_mean{.predictor = Predictor::kItemMean, .logits = {}};
  Prediction both{.predictor = Predictor::kCounts, .logits = {}};
  for (std::size_t row = 0; row < batch.rows(); ++row) {
    const double item = Logit(smoothed(item_, row));
    const double user = Logit(smoothed(user_, row));
    constant.logits.push_back(static_cast<float>(Logit(mean)));
    item_mean.logits.push_back(static_cast<float>(item));
    both.logits.push_back(static_cast<float>(item + user - Logit(mean)));
  }
  std::vector<Prediction> result{std::move(constant)};
  if (batch.info().purpose == batch::Purpose::kHoldout) result.push_back(std::move(item_mean));
  if (user_ >= 0) result.push_back(std::move(both));
  return result;
}

std::vector<float> Baselines::Gradient(const batch::MiniBatchView& batch,
                                       const std::vector<uint64_t>& keys) const {
  std::map<uint64_t, Count> counts;
  const auto count = [&](uint64_t key, std::size_t row) {
    counts[key].likes += batch.labels()[row];
    counts[key].rows += 1;
  };
  if (!keys.empty()) {
    const bool training = batch.info().purpose == batch::Purpose::kTrain;
    for (std::size_t row = 0; row < batch.rows(); ++row) {
      if (training) count(kWholeSet, row);
      for (const int feature : {item_, user_}) {
        if (const auto key = KeyOf(batch, feature, row)) count(*key, row);
      }
    }
  }
  std::vector<float> gradient;
  for (const uint64_t key : keys) {
    gradient.push_back(-static_cast<float>(counts[key].likes));
    gradient.push_back(-static_cast<float>(counts[key].rows));
  }
  return gradient;
}

}  // namespace primus::train
