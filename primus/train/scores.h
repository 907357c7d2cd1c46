// How well predictions separate positive rows from negative ones.
//
// AUC is the probability that a positive row has a higher logit than a negative one; ties count
// half. Both kinds merge in any order to the same result. Values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace primus::train {

// Keeps every logit: exact, 4 bytes a row.
class ExactScores {
 public:
  ExactScores() = default;
  // In any order.
  ExactScores(std::vector<float> positives, std::vector<float> negatives)
      : positives_(std::move(positives)), negatives_(std::move(negatives)) {}

  void Add(float logit, float label);
  void Merge(const ExactScores& other);

  uint64_t rows() const { return positives_.size() + negatives_.size(); }
  // Nothing unless there are rows of both kinds.
  std::optional<double> Auc() const;
  // Mean of −log p(label); nothing without rows.
  std::optional<double> LogLoss() const;
  // Sorted, so that equal sets of rows are equal values.
  std::vector<float> SortedPositives() const;
  std::vector<float> SortedNegatives() const;

 private:
  std::vector<float> positives_;
  std::vector<float> negatives_;
};

// Counts logits in bounded memory: AUC to about the share of rows that fall into one cell of
// 1/64. Logits beyond ±16 fall into the outer cells.
class ScoreHistogram {
 public:
  static constexpr std::size_t kCells = 2048;

  void Add(float logit, float label);
  void AddCell(std::size_t cell, uint64_t positives, uint64_t negatives);
  void Merge(const ScoreHistogram& other);

  std::optional<double> Auc() const;
  uint64_t positives(std::size_t cell) const { return cells_.empty() ? 0 : cells_[cell].positives; }
  uint64_t negatives(std::size_t cell) const { return cells_.empty() ? 0 : cells_[cell].negatives; }

 private:
  struct Cell {
    uint64_t positives = 0;
    uint64_t negatives = 0;
  };
  std::vector<Cell> cells_;  // kCells, or none while empty
};

}  // namespace primus::train
