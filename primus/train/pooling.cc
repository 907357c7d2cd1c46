#include "primus/train/pooling.h"

#include <utility>

#include "primus/batch/minibatch.h"

namespace primus::train {
namespace {

void AddScaled(float* to, const float* from, std::size_t count, float scale) {
  for (std::size_t i = 0; i < count; ++i) to[i] += from[i] * scale;
}

float ScaleOf(jobspec::CombinerKind combiner, std::size_t keys) {
  return combiner == jobspec::CombinerKind::kMean && keys > 1 ? 1.0F / static_cast<float>(keys)
                                                              : 1.0F;
}

}  // namespace

InputShape ShapeOf(const jobspec::ModelPlan& plan) {
  InputShape shape;
  bool first_order = false;
  for (const jobspec::FeatureSpec& feature : plan.features) {
    if (feature.source == jobspec::FeatureSource::kDense) {
      ++shape.dense_features;
      continue;
    }
    const jobspec::TableSpec& table = plan.tables[feature.table];
    shape.dims.push_back(table.dim);
    shape.vector_width += table.dim;
    first_order = first_order || table.first_order;
  }
  if (first_order) shape.weight_width = shape.dims.size();
  return shape;
}

Pooling::Pooling(const jobspec::ModelPlan& plan) : shape_(ShapeOf(plan)) {
  std::size_t column = 0;
  for (const jobspec::FeatureSpec& feature : plan.features) {
    if (feature.source == jobspec::FeatureSource::kDense) continue;
    const jobspec::TableSpec& table = plan.tables[feature.table];
    features_.push_back({.table = feature.table,
                         .dim = table.dim,
                         .width = table.width(),
                         .column = column,
                         .combiner = feature.combiner});
    column += table.dim;
  }
}

void Pooling::ForwardFeature(std::size_t ordinal, const Occurrences& keys, const TableRows& rows,
                             Activations& batch) const {
  const Feature& feature = features_[ordinal];
  const float* table = rows[feature.table].data();
  const bool weighted = feature.width > feature.dim;
  for (std::size_t row = 0; row < batch.rows; ++row) {
    const float scale = ScaleOf(feature.combiner, keys.offsets[row + 1] - keys.offsets[row]);
    float* vector = batch.inputs.data() + row * shape_.input_width() + feature.column;
    float* weight = batch.weights.data() + row * shape_.weight_width + ordinal;
    for (uint32_t i = keys.offsets[row]; i < keys.offsets[row + 1]; ++i) {
      const float* entry = table + keys.slots[i] * feature.width;
      AddScaled(vector, entry, feature.dim, scale);
      if (weighted) *weight += entry[feature.dim] * scale;
    }
  }
}

void Pooling::BackwardFeature(std::size_t ordinal, const Occurrences& keys,
                              const Activations& gradient, TableRows& table_gradients) const {
  const Feature& feature = features_[ordinal];
  float* table = table_gradients[feature.table].data();
  const bool weighted = feature.width > feature.dim;
  for (std::size_t row = 0; row < gradient.rows; ++row) {
    const float scale = ScaleOf(feature.combiner, keys.offsets[row + 1] - keys.offsets[row]);
    const float* vector = gradient.inputs.data() + row * shape_.input_width() + feature.column;
    const float* weight = gradient.weights.data() + row * shape_.weight_width + ordinal;
    for (uint32_t i = keys.offsets[row]; i < keys.offsets[row + 1]; ++i) {
      float* entry = table + keys.slots[i] * feature.width;
      AddScaled(entry, vector, feature.dim, scale);
      if (weighted) entry[feature.dim] += *weight * scale;
    }
  }
}

Activations Pooling::Forward(const batch::MiniBatchView& batch, const BatchKeys& keys,
                             const TableRows& rows) const {
  Activations result{.rows = batch.rows(),
                     .inputs = std::vector<float>(batch.rows() * shape_.input_width()),
                     .weights = std::vector<float>(batch.rows() * shape_.weight_width)};
  for (std::size_t f = 0; f < features_.size(); ++f) {
    ForwardFeature(f, {batch.offsets(f), keys.slots[f]}, rows, result);
  }
  for (std::size_t f = 0; f < shape_.dense_features; ++f) {
    const auto values = batch.dense(f);
    float* column = result.inputs.data() + shape_.vector_width + f;
    for (std::size_t row = 0; row < batch.rows(); ++row) {
      column[row * shape_.input_width()] = values[row];
    }
  }
  return result;
}

void Pooling::Backward(const batch::MiniBatchView& batch, const BatchKeys& keys,
                       const Activations& gradient, TableRows& table_gradients) const {
  for (std::size_t f = 0; f < features_.size(); ++f) {
    BackwardFeature(f, {batch.offsets(f), keys.slots[f]}, gradient, table_gradients);
  }
}

}  // namespace primus::train
