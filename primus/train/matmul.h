// Dense products of small matrices: the arithmetic of all layers.
//
// One thread, no allocation beyond one packed panel, and always the same order of additions, so
// the same inputs give the same bits. AVX2 and FMA (the module is built for x86-64-v3).
#pragma once

#include <cstddef>

namespace primus::train {

// A matrix in place: element (i, j) is data[i * row_step + j * column_step], so a transpose is the
// same data with the steps exchanged.
struct Operand {
  const float* data = nullptr;
  std::size_t row_step = 0;
  std::size_t column_step = 1;
};

enum class Epilogue {
  kStore,     // C = A·B
  kAdd,       // C += A·B
  kBias,      // C = A·B + bias
  kBiasRelu,  // C = max(A·B + bias, 0)
};

struct Product {
  std::size_t rows = 0;     // of A and C
  std::size_t columns = 0;  // of B and C
  std::size_t depth = 0;    // columns of A, rows of B
  Operand a;
  Operand b;
  float* c = nullptr;  // row-major
  std::size_t c_step = 0;
  Epilogue epilogue = Epilogue::kStore;
  const float* bias = nullptr;  // `columns` values; the epilogues that name it
};

void Multiply(const Product& product);

}  // namespace primus::train
