// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <random>

#include "model/formats/packed_matrix.hpp"

namespace nibblecore::test {

/// Which scale codes a random operand has.
enum class Scales {
  kOrdinary,  ///< near 1, so that sums neither overflow nor underflow
  kAnyFinite  ///< the whole range of codes but NaN
};

/// Random codes, padded tail zero, and random scales.
inline PackedMatrix random_matrix(const BlockFormat& format, int64_t rows, int64_t k,
                                  std::mt19937& random, Scales scales = Scales::kOrdinary) {
  PackedMatrix matrix = make_packed_matrix(format, rows, k);
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t i = 0; i < k; ++i) {
      set_packed_code(matrix.row_codes(row), i, static_cast<uint8_t>(random() & 15));
    }
    for (int64_t i = 0; i < matrix.scale_stride(); ++i) {
      uint32_t code = random() & 0xFF;
      if (format.scale == ScaleKind::kE8m0) {
        code = scales == Scales::kOrdinary ? 117 + code % 20 : code % 255;
      } else if (format.scale == ScaleKind::kUe4m3) {
        code = scales == Scales::kOrdinary ? 0x20 + code % 0x30 : code % 0x7F;
      } else if (i % format.scale_bytes() == 0) {
        code = scales == Scales::kOrdinary ? 0xA0 + code % 0x40 : code % 0xFF;
      }
      matrix.row_scales(row)[i] = static_cast<uint8_t>(code);
    }
  }
  return matrix;
}

}  // namespace nibblecore::test
