// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/emulate/gemm_definition.hpp"

#include <cmath>

#include <boost/multiprecision/cpp_int.hpp>

#include "model/common/bits.hpp"

namespace nibblecore {
namespace {

/// Every number here is an integer times 2^-kPoint.
constexpr int kPoint = 320;
/// Wide enough for every sum in these units: below 2^(2 * 127 + 16 + kPoint).
using Integer = boost::multiprecision::int1024_t;

constexpr uint32_t kNan = 0x7FC00000;
constexpr uint32_t kInfinity = 0x7F800000;

struct Scale {
  bool is_nan;
  int significand;
  int exponent;
};

Scale block_scale(const PackedMatrix& matrix, int64_t row, int64_t block) {
  const int code = matrix.row_scales(row)[block * matrix.format.scale_bytes()];
  switch (matrix.format.scale) {
    case ScaleKind::kE8m0:
      return {code == 255, 1, code - 127};
    case ScaleKind::kUe4m3: {
      const int field = (code >> 3) & 15;
      const int mantissa = code & 7;
      return {(code & 127) == 127, field == 0 ? mantissa : 8 + mantissa,
              field == 0 ? -9 : field - 10};
    }
    case ScaleKind::kHif4:
      return {code == 255, 4 + (code & 3), (code >> 2) - 50};
  }
  return {};
}

/// Value of an element without its block scale, HiF4's micro-exponents included.
double element(const PackedMatrix& matrix, int64_t row, int64_t k) {
  constexpr double kE2m1Values[8] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
  const int byte = matrix.row_codes(row)[k / 2];
  const int code = k % 2 == 0 ? byte % 16 : byte / 16;
  double magnitude = 0;
  if (matrix.format.element == ElementKind::kE2m1) {
    magnitude = kE2m1Values[code % 8];
  } else {
    const uint8_t* scale = matrix.row_scales(row) + k / 64 * 4;
    const int i = static_cast<int>(k % 64);
    const int level_2 = (scale[1] >> (i / 8)) & 1;
    const int level_3 = (scale[2 + i / 32] >> (i / 4 % 8)) & 1;
    magnitude = 0.25 * (code % 8) * (1 + level_2) * (1 + level_3);
  }
  return code >= 8 ? -magnitude : magnitude;
}

Integer fp32_integer(uint32_t bits) {
  const uint32_t field = (bits >> 23) & 255;
  const uint32_t mantissa = bits & 0x7FFFFF;
  Integer value = field == 0 ? mantissa : mantissa + 0x800000;
  value <<= kPoint - 149 + (field == 0 ? 0 : static_cast<int>(field) - 1);
  return (bits >> 31) != 0 ? Integer(-value) : value;
}

/// The FP32 bits nearest to `value`, ties to even; exact zero is +0.
uint32_t nearest_fp32(const Integer& value) {
  if (value == 0) {
    return 0;
  }
  const uint32_t sign = value < 0 ? 0x80000000 : 0;
  const Integer magnitude = abs(value);
  const int top = static_cast<int>(msb(magnitude)) - kPoint;
  const int last_place = std::max(top - 23, -149);
  const auto dropped = static_cast<unsigned>(last_place + kPoint);
  auto kept = static_cast<uint32_t>(magnitude >> dropped);
  const Integer rest = magnitude - (Integer(kept) << dropped);
  const Integer half = Integer(1) << (dropped - 1);
  if (rest > half || (rest == half && kept % 2 == 1)) {
    ++kept;
  }
  // A carry to 2^24 lands on the next exponent by itself: the fields are added.
  const uint64_t bits = (static_cast<uint64_t>(last_place + 149) << 23) + kept;
  return sign | (bits >= kInfinity ? kInfinity : static_cast<uint32_t>(bits));
}

uint32_t add_block(uint32_t accumulator, const PackedMatrix& a, int64_t m, const PackedMatrix& b,
                   int64_t n, int64_t block) {
  const Scale scale_a = block_scale(a, m, block);
  const Scale scale_b = block_scale(b, n, block);
  const uint32_t magnitude = accumulator & 0x7FFFFFFF;
  if (magnitude > kInfinity || scale_a.is_nan || scale_b.is_nan) {
    return kNan;
  }
  if (magnitude == kInfinity) {
    return accumulator;
  }
  double dot = 0;  // a multiple of 1/16 far below 2^53: exact
  for (int64_t k = block * a.format.block; k < (block + 1) * a.format.block; ++k) {
    dot += element(a, m, k) * element(b, n, k);
  }
  Integer value = static_cast<int64_t>(16 * dot);
  value *= scale_a.significand * scale_b.significand;
  value *= Integer(1) << (scale_a.exponent + scale_b.exponent + kPoint - 4);
  return nearest_fp32(fp32_integer(accumulator) + value);
}

/// Alpha and the last rounding: FP64 holds the product of two FP32 numbers exactly.
uint32_t times_alpha(uint32_t accumulator, const PackedMatrix& a, const PackedMatrix& b) {
  const auto alpha = static_cast<float>(static_cast<double>(a.tensor_scale) * b.tensor_scale);
  if (alpha == 1) {
    return accumulator;
  }
  const auto product =
      static_cast<float>(static_cast<double>(bits_float(accumulator)) * static_cast<double>(alpha));
  return std::isnan(product) ? kNan : float_bits(product);
}

}  // namespace

std::vector<uint32_t> gemm_by_definition(const PackedMatrix& a, const PackedMatrix& b,
                                         const std::vector<uint32_t>& c) {
  std::vector<uint32_t> d;
  for (int64_t m = 0; m < a.rows; ++m) {
    for (int64_t n = 0; n < b.rows; ++n) {
      const uint32_t start = c[static_cast<size_t>(m * b.rows + n)];
      uint32_t accumulator = (start & 0x7FFFFFFF) > kInfinity ? kNan : start;
      for (int64_t block = 0; block < a.blocks(); ++block) {
        accumulator = add_block(accumulator, a, m, b, n, block);
      }
      d.push_back(times_alpha(accumulator, a, b));
    }
  }
  return d;
}

}  // namespace nibblecore
