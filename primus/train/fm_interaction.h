// The second-order term of a factorisation machine (Rendle 2010, lemma 3.1): the sum of the dot
// products of all pairs of a row's feature vectors, as 0.5 · Σ_d ((Σ_f v)² − Σ_f v²).
//
// All key features have the same dim. No parameters of its own.
#pragma once

#include "primus/train/part.h"

namespace primus::train {

class FmInteraction final : public Part {
 public:
  explicit FmInteraction(const InputShape& shape);

  std::vector<jobspec::DenseSegment> Segments() const override { return {}; }
  void Forward(const Activations& batch, std::span<const float> parameters,
               std::span<float> logits) override;
  void Backward(const BackwardArguments& arguments) override;

 private:
  std::size_t features_;
  std::size_t dim_;
  std::size_t stride_;
  std::vector<float> sums_;  // rows × dim: Σ_f v of the last Forward
};

}  // namespace primus::train
