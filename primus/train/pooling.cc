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

Activations Pooling::Forward(const batch::MiniBatchView& batch, const BatchKeys& keys,
                             const TableRows& rows) const {
  const std::size_t stride = shape_.input_width();
  Activations result{.rows = batch.rows(),
                     .inputs = std::vector<float>(batch.rows() * stride),
                     .weights = std::vector<float>(batch.rows() * shape_.weight_width)};
  for (std::size_t f = 0; f < features_.size(); ++f) {
    const Feature& feature = features_[f];
    const auto offsets = batch.offsets(f);
    const float* table = rows[feature.table].data();
    for (std::size_t row = 0; row < batch.rows(); ++row) {
      const float scale = ScaleOf(feature.combiner, offsets[row + 1] - offsets[row]);
      float* vector = result.inputs.data() + row * stride + feature.column;
      for (uint32_t i = offsets[row]; i < offsets[row + 1]; ++i) {
        const float* entry = table + keys.slots[f][i] * feature.width;
        AddScaled(vector, entry, feature.dim, scale);
        if (feature.width > feature.dim) {
          result.weights[row * shape_.weight_width + f] += entry[feature.dim] * scale;
        }
      }
    }
  }
  for (std::size_t f = 0; f < shape_.dense_features; ++f) {
    const auto values = batch.dense(f);
    float* column = result.inputs.data() + shape_.vector_width + f;
    for (std::size_t row = 0; row < batch.rows(); ++row) column[row * stride] = values[row];
  }
  return result;
}

void Pooling::Backward(const batch::MiniBatchView& batch, const BatchKeys& keys,
                       const Activations& gradient, TableRows& table_gradients) const {
  const std::size_t stride = shape_.input_width();
  for (std::size_t f = 0; f < features_.size(); ++f) {
    const Feature& feature = features_[f];
    const auto offsets = batch.offsets(f);
    float* table = table_gradients[feature.table].data();
    for (std::size_t row = 0; row < batch.rows(); ++row) {
      const float scale = ScaleOf(feature.combiner, offsets[row + 1] - offsets[row]);
      const float* vector = gradient.inputs.data() + row * stride + feature.column;
      for (uint32_t i = offsets[row]; i < offsets[row + 1]; ++i) {
        float* entry = table + keys.slots[f][i] * feature.width;
        AddScaled(entry, vector, feature.dim, scale);
        if (feature.width > feature.dim) {
          entry[feature.dim] += gradient.weights[row * shape_.weight_width + f] * scale;
        }
      }
    }
  }
}

}  // namespace primus::train
