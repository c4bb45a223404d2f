// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/row_block.hpp"

#include <algorithm>
#include <cfloat>
#include <cstddef>

namespace nibblecore {
namespace {

using Dots = std::array<int32_t, kStripColumns>;

/// Longest run of products that fits 16 bits: 32 * 28 * 28 = 25,088 for HiF4, less for E2M1.
constexpr int kRun = 32;
/// Elements of A held in registers while all columns pass by; every block is a multiple.
constexpr int kStep = 8;

/// sums[column] += a[0..kStep) . b[0..kStep)[column]
void add_step(const int16_t* a, const int16_t* b, int16_t* sums) {
  for (int column = 0; column < kStripColumns; ++column) {
    int16_t sum = sums[column];
    for (int k = 0; k < kStep; ++k) {
      sum = static_cast<int16_t>(sum + a[k] * b[k * kStripColumns + column]);
    }
    sums[column] = sum;
  }
}

Dots block_dots(const int16_t* a, const int16_t* b, int length) {
  Dots dots{};
  for (int run = 0; run < length; run += kRun) {
    std::array<int16_t, kStripColumns> sums{};
    for (int k = run; k < std::min(length, run + kRun); k += kStep) {
      add_step(a + k, b + std::ptrdiff_t{k} * kStripColumns, sums.data());
    }
    for (size_t column = 0; column < sums.size(); ++column) {
      dots[column] += sums[column];
    }
  }
  return dots;
}

/// Whether every product of a dot and two scales of these ranges is an FP32 number. Only E8M0, the
/// powers of two, can leave it: a product of 2^-149 or more has all bits of the dot above FP32's
/// last place, and 2^112 times a dot under 2^16 stays below 2^128. The scales of NVFP4 and HiF4 lie
/// within 2^-50..2^14 and make products of at most 22 significant bits.
bool fits_fp32(const ScaleRange& a, const ScaleRange& b) {
  return double{a.smallest} * double{b.smallest} >= 0x1p-149 &&
         double{a.largest} * double{b.largest} <= 0x1p112;
}

/// RNE_FP32(accumulator + dot * scale) where the product is an FP32 number.
float add_narrow(float accumulator, int32_t dot, float scale) {
  return accumulator + static_cast<float>(dot) * scale;
}

/// RNE_FP32(accumulator + dot * scale) where the product may lie far outside FP32.
///
/// The product is exact in FP64. So is the sum, or else x, the operand of larger magnitude, and y,
/// the smaller, lie so far apart that both roundings give x: with 2^t <= |x| < 2^(t+1), FP64 can
/// only lose bits below 2^(t-51). x has 24 significant bits or fewer and keeps them; y, of at most
/// 24 as well, has a lost one, so |y| < 2^(t-27). If x is the accumulator, it is an FP32 number; if
/// y is, 2^-149 <= |y| puts t above -122, where every x of 24 bits is an FP32 number or beyond
/// them all. The nearest points where FP32's rounding changes are at least 2^(t-25) from x
/// (2^-150 where x is subnormal, and then t <= -127), the FP64 sum is less than 2^(t-26) from it.
float add_wide(float accumulator, int32_t dot, double scale) {
  return static_cast<float>(double{accumulator} + static_cast<double>(dot) * scale);
}

static_assert(FLT_EVAL_METHOD == 0, "every operation must round to its own type");

}  // namespace

void accumulate_row_block(const StripBlock& a, const StripBlock& b, int length,
                          RowAccumulators& accumulators) {
  const Dots dots = block_dots(a.elements, b.elements, length);
  const float a_scale = *a.scales;
  if (fits_fp32(a.range, b.range)) {
    for (size_t i = 0; i < dots.size(); ++i) {
      accumulators[i] = add_narrow(accumulators[i], dots[i], a_scale * b.scales[i]);
    }
  } else {
    for (size_t i = 0; i < dots.size(); ++i) {
      accumulators[i] = add_wide(accumulators[i], dots[i], double{a_scale} * double{b.scales[i]});
    }
  }
}

}  // namespace nibblecore
