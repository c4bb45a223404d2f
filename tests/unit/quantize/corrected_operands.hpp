// SPDX-License-Identifier: Apache-2.0
// What the tests of the corrections on operands share.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/common/bits.hpp"
#include "model/formats/dequantize.hpp"
#include "model/formats/packed_matrix.hpp"
#include "model/synthetic/synthetic_tensor.hpp"
#include "tests/support/input_error.hpp"

namespace nibblecore {

inline void expect_same(const PackedMatrix& a, const PackedMatrix& b, const std::string& what) {
  EXPECT_EQ(a.rows, b.rows) << what;
  EXPECT_EQ(a.k, b.k) << what;
  EXPECT_EQ(a.codes, b.codes) << what;
  EXPECT_EQ(a.scales, b.scales) << what;
  EXPECT_EQ(float_bits(a.tensor_scale), float_bits(b.tensor_scale)) << what;
}

inline std::vector<float> gaussian(int64_t rows, int64_t k, uint64_t seed) {
  SyntheticSpec spec;
  spec.rows = rows;
  spec.k = k;
  spec.seed = seed;
  return SyntheticTensor(spec).values(1);
}

inline std::vector<float> transposed(const std::vector<float>& values, int64_t rows, int64_t k) {
  std::vector<float> result(values.size());
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t i = 0; i < k; ++i) {
      result[static_cast<size_t>(i * rows + row)] = values[static_cast<size_t>(row * k + i)];
    }
  }
  return result;
}

inline std::vector<float> decoded(const PackedMatrix& packed) {
  std::vector<float> values(static_cast<size_t>(packed.rows * packed.k));
  dequantize(packed, values.data());
  return values;
}

}  // namespace nibblecore
