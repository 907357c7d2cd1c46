#include "primus/train/scores.h"

#include <algorithm>
#include <cmath>

namespace primus::train {
namespace {

constexpr float kPositive = 0.5F;  // labels above are positive
constexpr double kCellsPerUnit = 64;

std::vector<float> Sorted(std::vector<float> values) {
  std::sort(values.begin(), values.end());
  return values;
}

// log(1 + e^x) without overflow.
double SoftPlus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); }

}  // namespace

void ExactScores::Add(float logit, float label) {
  (label > kPositive ? positives_ : negatives_).push_back(logit);
}

void ExactScores::Merge(const ExactScores& other) {
  positives_.insert(positives_.end(), other.positives_.begin(), other.positives_.end());
  negatives_.insert(negatives_.end(), other.negatives_.begin(), other.negatives_.end());
}

std::vector<float> ExactScores::SortedPositives() const { return Sorted(positives_); }
std::vector<float> ExactScores::SortedNegatives() const { return Sorted(negatives_); }

std::optional<double> ExactScores::Auc() const {
  if (positives_.empty() || negatives_.empty()) return std::nullopt;
  const std::vector<float> positives = SortedPositives();
  const std::vector<float> negatives = SortedNegatives();
  // Twice the number of pairs in the right order; a tie is one.
  double doubled = 0;
  std::size_t below = 0;
  std::size_t not_above = 0;
  for (const float logit : positives) {
    while (below < negatives.size() && negatives[below] < logit) ++below;
    while (not_above < negatives.size() && negatives[not_above] <= logit) ++not_above;
    doubled += static_cast<double>(below + not_above);
  }
  return doubled / 2 / static_cast<double>(positives.size()) /
         static_cast<double>(negatives.size());
}

std::optional<double> ExactScores::LogLoss() const {
  if (rows() == 0) return std::nullopt;
  double sum = 0;
  for (const float logit : SortedPositives()) sum += SoftPlus(-static_cast<double>(logit));
  for (const float logit : SortedNegatives()) sum += SoftPlus(logit);
  return sum / static_cast<double>(rows());
}

void ScoreHistogram::AddCell(std::size_t cell, uint64_t positives, uint64_t negatives) {
  if (cells_.empty()) cells_.resize(kCells);
  cells_[cell].positives += positives;
  cells_[cell].negatives += negatives;
}

void ScoreHistogram::Add(float logit, float label) {
  const double place = std::floor(static_cast<double>(logit) * kCellsPerUnit) + kCells / 2.0;
  const double cell = std::clamp(place, 0.0, static_cast<double>(kCells - 1));
  const bool positive = label > kPositive;
  AddCell(static_cast<std::size_t>(cell), positive ? 1 : 0, positive ? 0 : 1);
}

void ScoreHistogram::Merge(const ScoreHistogram& other) {
  for (std::size_t cell = 0; cell < other.cells_.size(); ++cell) {
    AddCell(cell, other.cells_[cell].positives, other.cells_[cell].negatives);
  }
}

std::optional<double> ScoreHistogram::Auc() const {
  double positives = 0;
  double below = 0;  // negatives in the cells so far
  double pairs = 0;
  for (const Cell& cell : cells_) {
    const auto here = static_cast<double>(cell.negatives);
    pairs += static_cast<double>(cell.positives) * (below + here / 2);
    positives += static_cast<double>(cell.positives);
    below += here;
  }
  if (positives <= 0 || below <= 0) return std::nullopt;
  return pairs / positives / below;
}

}  // namespace primus::train
