// SPDX-License-Identifier: Apache-2.0
#include "tb/stimulus/first_term.hpp"

#include <array>

namespace nibblecore::tb {
namespace {

struct Factor {
  int64_t significand;
  int32_t exponent;
  bool nan;
};

/// What one unit of an element's integer counts under the scale of block 0.
Factor factor_of(ScaleKind kind, uint8_t code) {
  switch (kind) {
    case ScaleKind::kE8m0:
      return {1, code - 128, code == 0xFF};
    case ScaleKind::kUe4m3: {
      const int field = (code >> 3) & 15;
      const int mantissa = code & 7;
      const bool nan = (code & 0x7F) == 0x7F;
      return field == 0 ? Factor{mantissa, -10, nan} : Factor{8 + mantissa, field - 11, nan};
    }
    case ScaleKind::kHif4:
      return {4 + code % 4, code / 4 - 52, code == 0xFF};
  }
  return {};
}

int64_t element_of(const PackedMatrix& matrix, int64_t row, int64_t i) {
  constexpr std::array<int64_t, 8> kDoubled{0, 1, 2, 3, 4, 6, 8, 12};
  const uint8_t code = packed_code(matrix.row_codes(row), i);
  const uint8_t* scale = matrix.row_scales(row);
  int64_t magnitude = 0;
  if (matrix.format.element == ElementKind::kE2m1) {
    magnitude = kDoubled.at(code & 7);
  } else {
    const uint32_t level3 = scale[2] | (uint32_t{scale[3]} << 8);
    const auto shift = ((scale[1] >> (i / 8)) & 1U) + ((level3 >> (i / 4)) & 1U);
    magnitude = int64_t{code & 7} << shift;
  }
  return (code & 8) != 0 ? -magnitude : magnitude;
}

}  // namespace

FirstTerm first_term(const PackedMatrix& a, int64_t a_row, const PackedMatrix& b, int64_t b_row) {
  int64_t sum = 0;
  for (int64_t i = 0; i < a.format.block; ++i) {
    sum += element_of(a, a_row, i) * element_of(b, b_row, i);
  }
  const Factor x = factor_of(a.format.scale, a.row_scales(a_row)[0]);
  const Factor y = factor_of(b.format.scale, b.row_scales(b_row)[0]);
  return {sum * x.significand * y.significand, x.exponent + y.exponent, x.nan || y.nan};
}

}  // namespace nibblecore::tb
