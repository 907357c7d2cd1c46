#include "primus/train/logit_network.h"

#include "primus/train/logit_model.h"

namespace primus::train {

Status LogitNetwork::Check(const jobspec::ModelPlan& plan) const {
  if (plan.features.empty()) return InvalidArgumentError("spec.model.features: none to learn from");
  if (dims_ == Dims::kAny) return OkStatus();
  const jobspec::FeatureSpec* first = nullptr;
  for (const jobspec::FeatureSpec& feature : plan.features) {
    if (feature.source == jobspec::FeatureSource::kDense) continue;
    if (first == nullptr) first = &feature;
    const uint32_t dim = plan.tables[feature.table].dim;
    const uint32_t first_dim = plan.tables[first->table].dim;
    if (dim == first_dim) continue;
    return InvalidArgumentError("spec.model.network: multiplies vectors of one dim, but " +
                                first->name + " has dim " + std::to_string(first_dim) + " and " +
                                feature.name + " has dim " + std::to_string(dim));
  }
  return OkStatus();
}

std::vector<jobspec::DenseSegment> LogitNetwork::Segments(const jobspec::ModelPlan& plan) const {
  std::vector<jobspec::DenseSegment> segments;
  for (const std::unique_ptr<Part>& part : make_parts_(ShapeOf(plan))) {
    for (jobspec::DenseSegment& segment : part->Segments()) segments.push_back(std::move(segment));
  }
  return segments;
}

std::unique_ptr<Model> LogitNetwork::BuildModel(const jobspec::ModelPlan& plan,
                                                std::unique_ptr<Loss> loss) const {
  return std::make_unique<LogitModel>(plan, make_parts_(ShapeOf(plan)), std::move(loss));
}

}  // namespace primus::train
