// SPDX-License-Identifier: Apache-2.0
#include "model/formats/matrix_view.hpp"

#include <cstring>

#include "model/formats/bf16.hpp"

namespace nibblecore {

MatrixView row_major_view(const float* data, int64_t rows, int64_t k) {
  return {data, ValueType::kF32, rows, k, k, 1};
}

void load_row(const MatrixView& view, int64_t row, float* values) {
  const auto* bytes = static_cast<const unsigned char*>(view.data);
  for (int64_t i = 0; i < view.k; ++i) {
    const int64_t index = row * view.row_stride + i * view.k_stride;
    if (view.type == ValueType::kBf16) {
      uint16_t bits = 0;
      std::memcpy(&bits, bytes + index * 2, sizeof bits);
      values[i] = bits_float(bf16_to_fp32(bits));
    } else {
      std::memcpy(values + i, bytes + index * 4, sizeof(float));
    }
  }
}

}  // namespace nibblecore
