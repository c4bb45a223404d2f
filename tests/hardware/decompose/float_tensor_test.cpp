// SPDX-License-Identifier: Apache-2.0
#include "tb/decompose/float_tensor.hpp"

#include <array>

#include <gtest/gtest.h>

namespace nibblecore::tb {
namespace {

TEST(FloatTensor, RowsLieAlongTheLastAxis) {
  const std::array<float, 24> values{};
  const auto rows_of = [&](const std::vector<int64_t>& shape) {
    return last_axis_rows(
        {"t", DType::kF32, shape, reinterpret_cast<const std::byte*>(values.data()), 96},
        ValueType::kF32, "place");
  };
  const MatrixView cube = rows_of({2, 3, 4});
  EXPECT_EQ(cube.data, values.data());
  EXPECT_EQ(cube.rows, 6);
  EXPECT_EQ(cube.k, 4);
  EXPECT_EQ(cube.row_stride, 4);
  EXPECT_EQ(cube.k_stride, 1);
  const MatrixView scalar = rows_of({});
  EXPECT_EQ(scalar.rows, 1);
  EXPECT_EQ(scalar.k, 1);
  EXPECT_EQ(rows_of({0, 5}).rows, 0);
  EXPECT_EQ(rows_of({3, 0}).rows, 3);
}

}  // namespace
}  // namespace nibblecore::tb
