// SPDX-License-Identifier: Apache-2.0
#include "tb/replay/scaled_input.hpp"

#include <cstddef>
#include <cstdint>

namespace nibblecore::tb {

ScaledInput::ScaledInput(const MatrixView& input, float factor) : view_(input) {
  if (factor == 1.0F) {
    return;
  }
  values_.resize(static_cast<size_t>(input.rows * input.k));
  std::vector<float> row_values(static_cast<size_t>(input.k));
  for (int64_t row = 0; row < input.rows; ++row) {
    load_row(input, row, row_values.data());
    for (int64_t i = 0; i < input.k; ++i) {
      const int64_t element = row * input.row_stride + i * input.k_stride;
      values_[static_cast<size_t>(element)] = row_values[static_cast<size_t>(i)] * factor;
    }
  }
  view_.data = values_.data();
  view_.type = ValueType::kF32;
}

}  // namespace nibblecore::tb
