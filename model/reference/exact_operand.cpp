// SPDX-License-Identifier: Apache-2.0
#include "model/reference/exact_operand.hpp"

#include <array>

#include "model/formats/e2m1.hpp"
#include "model/formats/e6m2.hpp"
#include "model/formats/e8m0.hpp"
#include "model/formats/s1p2.hpp"
#include "model/formats/ue4m3.hpp"

namespace nibblecore {
namespace {

/// Elements are kept as integers in this unit: 1/2 for E2M1 (its subnormal), 1/4 for S1P2.
int unit_exponent(ElementKind element) { return element == ElementKind::kE2m1 ? -1 : -2; }

std::array<int16_t, 16> element_integers(ElementKind element) {
  const NumberFormat& format = element == ElementKind::kE2m1 ? kE2m1Format : kS1p2Format;
  std::array<int16_t, 16> integers{};
  for (uint32_t code = 0; code < integers.size(); ++code) {
    const ExactNumber number = decode(format, code);
    const int magnitude = static_cast<int>(number.significand)
                          << (number.exponent - unit_exponent(element));
    integers[code] = static_cast<int16_t>(number.negative ? -magnitude : magnitude);
  }
  return integers;
}

ExactScale exact_scale(const BlockFormat& format, const uint8_t* scale) {
  const NumberFormat* scale_format = &kE6m2Format;
  if (format.scale == ScaleKind::kE8m0) {
    scale_format = &kE8m0Format;
  } else if (format.scale == ScaleKind::kUe4m3) {
    scale_format = &kUe4m3Format;
  }
  const ExactNumber number = decode(*scale_format, scale[0]);
  return {static_cast<int>(number.significand), number.exponent + unit_exponent(format.element),
          number.is_nan};
}

/// 2^(level-2 bit + level-3 bit) of element i of a HiF4 unit; 1 in the other formats.
int micro_factor(const BlockFormat& format, const uint8_t* scale, int i) {
  if (format.scale != ScaleKind::kHif4) {
    return 1;
  }
  const int level2 = (scale[1] >> (i / 8)) & 1;
  const int level3 = (scale[2 + i / 32] >> (i / 4 % 8)) & 1;
  return 1 << (level2 + level3);
}

}  // namespace

ExactRow decode_row(const PackedMatrix& matrix, int64_t row) {
  const BlockFormat& format = matrix.format;
  const std::array<int16_t, 16> integers = element_integers(format.element);
  ExactRow decoded;
  decoded.elements.resize(static_cast<size_t>(matrix.blocks() * format.block));
  decoded.scales.reserve(static_cast<size_t>(matrix.blocks()));
  for (int64_t block = 0; block < matrix.blocks(); ++block) {
    const uint8_t* scale = matrix.row_scales(row) + block * format.scale_bytes();
    decoded.scales.push_back(exact_scale(format, scale));
    for (int i = 0; i < format.block; ++i) {
      const int64_t index = block * format.block + i;
      const int element = integers[packed_code(matrix.row_codes(row), index)];
      decoded.elements[static_cast<size_t>(index)] =
          static_cast<int16_t>(element * micro_factor(format, scale, i));
    }
  }
  return decoded;
}

ExactTerm block_dot(const ExactRow& a, const ExactRow& b, int64_t block, int block_size) {
  const int16_t* x = a.elements.data() + block * block_size;
  const int16_t* y = b.elements.data() + block * block_size;
  int sum = 0;
  for (int i = 0; i < block_size; ++i) {
    sum += x[i] * y[i];
  }
  const ExactScale& scale_a = a.scales[static_cast<size_t>(block)];
  const ExactScale& scale_b = b.scales[static_cast<size_t>(block)];
  return {int64_t{sum} * scale_a.significand * scale_b.significand,
          scale_a.exponent + scale_b.exponent};
}

}  // namespace nibblecore
