// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/reference/dot_definition.hpp"

#include <algorithm>
#include <cmath>

#include "model/common/bits.hpp"
#include "model/formats/e2m1.hpp"
#include "model/formats/e6m2.hpp"
#include "model/formats/e8m0.hpp"
#include "model/formats/hif4_unit.hpp"
#include "model/formats/s1p2.hpp"
#include "model/formats/ue4m3.hpp"
#include "tests/unit/reference/fp32_definition.hpp"

namespace nibblecore {
namespace {

constexpr uint32_t kNan = 0x7FC00000;

std::vector<double> row_values(const PackedMatrix& matrix, int64_t row) {
  std::vector<double> values;
  for (int64_t i = 0; i < matrix.k; ++i) {
    values.push_back(element_value(matrix, row, i));
  }
  return values;
}

bool has_nan(const std::vector<double>& values) {
  return std::any_of(values.begin(), values.end(), [](double value) { return std::isnan(value); });
}

/// Elements of K between two roundings, under a policy that rounds to nearest.
size_t rounding_width(const PackedMatrix& a, Accumulation policy) {
  if (policy == Accumulation::kExact) {
    return static_cast<size_t>(std::max<int64_t>(a.k, 1));
  }
  return policy == Accumulation::kFp32Fused ? 64 : static_cast<size_t>(a.format.block);
}

uint32_t dot_from_values(const std::vector<double>& x, const std::vector<double>& y, size_t width,
                         uint32_t c) {
  if (std::isnan(bits_float(c)) || has_nan(x) || has_nan(y)) {
    return kNan;
  }
  uint32_t accumulator = c;
  for (size_t first = 0; first < x.size(); first += width) {
    if (std::isinf(bits_float(accumulator))) {
      return accumulator;
    }
    FixedPoint sum = fixed_point(static_cast<double>(bits_float(accumulator)));
    for (size_t i = first; i < std::min(x.size(), first + width); ++i) {
      // At most 12 significant bits, never under 2^-256: exact in FP64.
      sum += fixed_point(x[i] * y[i]);
    }
    accumulator = nearest_fp32(sum);
  }
  return accumulator;
}

/// FP64 holds the product of two FP32 numbers, so the cast is the only rounding.
uint32_t product_fp32(float x, float y) {
  const auto product = static_cast<float>(static_cast<double>(x) * static_cast<double>(y));
  return std::isnan(product) ? kNan : float_bits(product);
}

}  // namespace

double element_value(const PackedMatrix& matrix, int64_t row, int64_t i) {
  const uint8_t code = packed_code(matrix.row_codes(row), i);
  const uint8_t* scale =
      matrix.row_scales(row) + i / matrix.format.block * matrix.format.scale_bytes();
  if (matrix.format.scale == ScaleKind::kHif4) {
    Hif4Unit unit;
    unpack_hif4_scale(scale, unit);
    const double value = decode_double(kS1p2Format, code) * decode_double(kE6m2Format, unit.e6m2);
    return std::ldexp(value, unit.micro_exponent(static_cast<int>(i % 64)));
  }
  const NumberFormat& format = matrix.format.scale == ScaleKind::kE8m0 ? kE8m0Format : kUe4m3Format;
  return decode_double(kE2m1Format, code) * decode_double(format, *scale);
}

std::vector<uint32_t> gemm_from_values(const PackedMatrix& a, const PackedMatrix& b,
                                       Accumulation policy, const std::vector<uint32_t>& c) {
  const float alpha = bits_float(product_fp32(a.tensor_scale, b.tensor_scale));
  std::vector<uint32_t> d;
  for (int64_t m = 0; m < a.rows; ++m) {
    const std::vector<double> x = row_values(a, m);
    for (int64_t n = 0; n < b.rows; ++n) {
      const uint32_t sum =
          dot_from_values(x, row_values(b, n), rounding_width(a, policy), c[d.size()]);
      d.push_back(alpha == 1 ? sum : product_fp32(bits_float(sum), alpha));
    }
  }
  return d;
}

}  // namespace nibblecore
