#include "primus/train/matmul.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "primus/base/seeded.h"

namespace primus::train {
namespace {

std::vector<float> Random(std::size_t count, uint64_t seed) {
  SeededSequence random(seed);
  std::vector<float> values(count);
  std::ranges::generate(values, [&] { return static_cast<float>(random.NextUnit() - 0.5); });
  return values;
}

struct Shape {
  std::size_t rows;
  std::size_t columns;
  std::size_t depth;
};

double At(const Operand& matrix, std::size_t i, std::size_t j) {
  return matrix.data[i * matrix.row_step + j * matrix.column_step];
}

void ExpectProduct(const Product& p, const std::vector<float>& old, const Shape& shape) {
  for (std::size_t i = 0; i < shape.rows; ++i) {
    for (std::size_t j = 0; j < shape.columns; ++j) {
      double sum = p.epilogue == Epilogue::kAdd ? old[i * shape.columns + j] : 0;
      for (std::size_t k = 0; k < shape.depth; ++k) sum += At(p.a, i, k) * At(p.b, k, j);
      if (p.bias != nullptr) sum += p.bias[j];
      if (p.epilogue == Epilogue::kBiasRelu) sum = std::max(sum, 0.0);
      ASSERT_NEAR(p.c[i * p.c_step + j], sum, 1e-4) << i << "," << j;
    }
  }
}

TEST(Multiply, EqualsThePlainSumForAllShapesAndEpilogues) {
  for (const Shape shape : {Shape{1, 1, 1}, Shape{7, 1, 64}, Shape{6, 16, 5}, Shape{13, 33, 72},
                            Shape{256, 128, 72}, Shape{5, 17, 1}, Shape{3, 15, 300}}) {
    const auto a = Random(shape.rows * shape.depth, 1);
    const auto b = Random(shape.depth * shape.columns, 2);
    const auto bias = Random(shape.columns, 3);
    const auto old = Random(shape.rows * shape.columns, 4);
    for (const Epilogue epilogue :
         {Epilogue::kStore, Epilogue::kAdd, Epilogue::kBias, Epilogue::kBiasRelu}) {
      std::vector<float> c = old;
      const bool with_bias = epilogue == Epilogue::kBias || epilogue == Epilogue::kBiasRelu;
      const Product product{.rows = shape.rows,
                            .columns = shape.columns,
                            .depth = shape.depth,
                            .a = {a.data(), shape.depth, 1},
                            .b = {b.data(), shape.columns, 1},
                            .c = c.data(),
                            .c_step = shape.columns,
                            .epilogue = epilogue,
                            .bias = with_bias ? bias.data() : nullptr};
      Multiply(product);
      ExpectProduct(product, old, shape);
    }
  }
}

TEST(Multiply, TakesTransposesByTheirSteps) {
  const Shape shape{19, 21, 10};
  const auto a = Random(shape.rows * shape.depth, 1);
  const auto b = Random(shape.depth * shape.columns, 2);
  std::vector<float> c(shape.rows * shape.columns);
  const Product product{.rows = shape.rows,
                        .columns = shape.columns,
                        .depth = shape.depth,
                        .a = {a.data(), 1, shape.rows},
                        .b = {b.data(), 1, shape.depth},
                        .c = c.data(),
                        .c_step = shape.columns};
  Multiply(product);
  ExpectProduct(product, c, shape);
}

TEST(Multiply, ReluKeepsNotANumber) {
  const float a = std::numeric_limits<float>::quiet_NaN();
  const float b = 1;
  const float bias = 0;
  float c = 0;
  Multiply({.rows = 1,
            .columns = 1,
            .depth = 1,
            .a = {&a, 1, 1},
            .b = {&b, 1, 1},
            .c = &c,
            .c_step = 1,
            .epilogue = Epilogue::kBiasRelu,
            .bias = &bias});
  EXPECT_TRUE(std::isnan(c));
}

}  // namespace
}  // namespace primus::train
