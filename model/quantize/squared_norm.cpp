// SPDX-License-Identifier: Apache-2.0
#include "model/quantize/squared_norm.hpp"

#include "model/formats/e2m1.hpp"
#include "model/formats/e6m2.hpp"
#include "model/formats/e8m0.hpp"
#include "model/formats/hif4_unit.hpp"
#include "model/formats/s1p2.hpp"
#include "model/formats/ue4m3.hpp"

namespace nibblecore {
namespace {

const NumberFormat& scale_format(ScaleKind scale) {
  switch (scale) {
    case ScaleKind::kE8m0:
      return kE8m0Format;
    case ScaleKind::kUe4m3:
      return kUe4m3Format;
    case ScaleKind::kHif4:
      return kE6m2Format;
  }
  return kE8m0Format;
}

}  // namespace

bool is_larger(const SquaredNorm& a, const SquaredNorm& b) {
  if (a.is_nan || b.is_nan) {
    return a.is_nan && !b.is_nan;
  }
  return a.sum > b.sum;
}

void block_squares(const PackedMatrix& matrix, int64_t row, int64_t block, uint16_t* squares) {
  const BlockFormat& format = matrix.format;
  Hif4Unit unit;
  if (format.scale == ScaleKind::kHif4) {
    unpack_hif4_scale(matrix.row_scales(row) + block * kHif4ScaleBytes, unit);
  }
  for (int i = 0; i < format.block; ++i) {
    const uint8_t code = packed_code(matrix.row_codes(row), block * format.block + i);
    const int integer = format.element == ElementKind::kE2m1
                            ? int{kE2m1Doubled[code]}
                            : s1p2_quarters(code) * (1 << unit.micro_exponent(i));
    squares[i] = static_cast<uint16_t>(integer * integer);
  }
}

SquaredNorm SquaredNormSum::total() const {
  const NumberFormat& format = scale_format(scale_);
  const int lowest_exponent = decode(format, 0).exponent;
  SquaredNorm norm;
  for (uint32_t code = 0; code < squares_.size(); ++code) {
    const ExactNumber scale = decode(format, code);
    norm.is_nan = norm.is_nan || (scale.is_nan && seen_[code]);
    if (squares_[code] != 0 && !scale.is_nan) {
      const boost::multiprecision::cpp_int squares =
          boost::multiprecision::cpp_int(squares_[code]) * scale.significand * scale.significand;
      norm.sum += squares << (2 * (scale.exponent - lowest_exponent));
    }
  }
  return norm;
}

}  // namespace nibblecore
