#include "primus/train/matmul.h"

#include <immintrin.h>

#include <algorithm>
#include <memory>

namespace primus::train {
namespace {

// A tile of C is kTileRows × kPanel: 12 accumulators, 2 registers of B and 1 of A fill AVX2's 16.
constexpr std::size_t kTileRows = 6;
constexpr std::size_t kPanel = 16;

// Columns [column, column + kPanel) of B, row after row, padded with zeros.
void PackPanel(const Product& p, std::size_t column, float* panel) {
  const std::size_t width = std::min(kPanel, p.columns - column);
  for (std::size_t k = 0; k < p.depth; ++k) {
    const float* from = p.b.data + k * p.b.row_step + column * p.b.column_step;
    float* to = panel + k * kPanel;
    for (std::size_t j = 0; j < width; ++j) to[j] = from[j * p.b.column_step];
    std::fill(to + width, to + kPanel, 0.0F);
  }
}

struct Pair {
  __m256 low;
  __m256 high;
};

Pair Finish(const Product& p, Pair sum, Pair bias, Pair old) {
  switch (p.epilogue) {
    case Epilogue::kStore:
      return sum;
    case Epilogue::kAdd:
      return {_mm256_add_ps(old.low, sum.low), _mm256_add_ps(old.high, sum.high)};
    case Epilogue::kBias:
      return {_mm256_add_ps(sum.low, bias.low), _mm256_add_ps(sum.high, bias.high)};
    case Epilogue::kBiasRelu:
      const __m256 zero = _mm256_setzero_ps();
      // Operands in this order keep a NaN, which max(x, 0) would hide.
      return {_mm256_max_ps(zero, _mm256_add_ps(sum.low, bias.low)),
              _mm256_max_ps(zero, _mm256_add_ps(sum.high, bias.high))};
  }
  return sum;
}

Pair LoadPart(const float* from, std::size_t width) {
  if (width == kPanel) return {_mm256_loadu_ps(from), _mm256_loadu_ps(from + 8)};
  alignas(32) float part[kPanel] = {};
  std::copy_n(from, width, part);
  return {_mm256_load_ps(part), _mm256_load_ps(part + 8)};
}

void StorePart(Pair values, float* to, std::size_t width) {
  if (width == kPanel) {
    _mm256_storeu_ps(to, values.low);
    _mm256_storeu_ps(to + 8, values.high);
    return;
  }
  alignas(32) float part[kPanel];
  _mm256_store_ps(part, values.low);
  _mm256_store_ps(part + 8, values.high);
  std::copy_n(part, width, to);
}

template <std::size_t kRows>
void Tile(const Product& p, const float* panel, std::size_t row, std::size_t column) {
  __m256 low[kRows];
  __m256 high[kRows];
  for (std::size_t i = 0; i < kRows; ++i) low[i] = high[i] = _mm256_setzero_ps();
  const float* a = p.a.data + row * p.a.row_step;
  for (std::size_t k = 0; k < p.depth; ++k) {
    const __m256 b_low = _mm256_loadu_ps(panel + k * kPanel);
    const __m256 b_high = _mm256_loadu_ps(panel + k * kPanel + 8);
    for (std::size_t i = 0; i < kRows; ++i) {
      const __m256 value = _mm256_broadcast_ss(a + i * p.a.row_step + k * p.a.column_step);
      low[i] = _mm256_fmadd_ps(value, b_low, low[i]);
      high[i] = _mm256_fmadd_ps(value, b_high, high[i]);
    }
  }
  const std::size_t width = std::min(kPanel, p.columns - column);
  const __m256 zero = _mm256_setzero_ps();
  const Pair bias = p.bias != nullptr ? LoadPart(p.bias + column, width) : Pair{zero, zero};
  for (std::size_t i = 0; i < kRows; ++i) {
    float* c = p.c + (row + i) * p.c_step + column;
    const Pair old = p.epilogue == Epilogue::kAdd ? LoadPart(c, width) : Pair{zero, zero};
    StorePart(Finish(p, {low[i], high[i]}, bias, old), c, width);
  }
}

void LastTile(const Product& p, const float* panel, std::size_t row, std::size_t column) {
  switch (p.rows - row) {
    case 1:
      return Tile<1>(p, panel, row, column);
    case 2:
      return Tile<2>(p, panel, row, column);
    case 3:
      return Tile<3>(p, panel, row, column);
    case 4:
      return Tile<4>(p, panel, row, column);
    case 5:
      return Tile<5>(p, panel, row, column);
    default:
      return;
  }
}

}  // namespace

void Multiply(const Product& p) {
  const auto panel = std::make_unique_for_overwrite<float[]>(p.depth * kPanel);
  for (std::size_t column = 0; column < p.columns; column += kPanel) {
    PackPanel(p, column, panel.get());
    std::size_t row = 0;
    for (; row + kTileRows <= p.rows; row += kTileRows) {
      Tile<kTileRows>(p, panel.get(), row, column);
    }
    LastTile(p, panel.get(), row, column);
  }
}

}  // namespace primus::train
