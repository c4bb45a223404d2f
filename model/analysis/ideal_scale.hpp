// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "model/formats/block_format.hpp"
#include "model/quantize/quantize_block.hpp"

namespace nibblecore {

/// What the ideal-scale quantizer Q* makes of a block.
struct IdealBlock {
  /// s*: the largest magnitude over 6 (E2M1) or 7 (HiF4), a real number rounded to FP64.
  double scale = 0;
  /// Q*(x), exact but for one rounding to FP64; the largest magnitude comes out as it is.
  std::array<double, kLongestBlock> values{};
  /// A factor, 1 for elements of the dead zone and 0 for the others. The dead zone is what lies
  /// nearer to 0 than half of the smallest step of the element; a tie lies outside.
  std::array<double, kLongestBlock> dead_zone{};
};

/// Quantizes a block of `count` FP32 values under a scale without rounding: nearest even, every
/// code by exact comparison.
///  - E2M1 (arXiv 2605.20402): s* = m/6, Q* = s* rne(x/s*), dead zone |x| < s*/4.
///  - S1P2, its counterpart in HiF4: s* = m/7, micro-exponents by arXiv 2602.11287, Algorithm 1, on
///    real numbers (v8 >= 4 s*, v16 2^-e8 >= 2 s*), elements in quarters of s* 2^n, at most 7; dead
///    zone |x| < s* 2^n / 8.
/// Values from `count` up to `block` (16, 32 or 64, a multiple of 4) count as zeros, and are zeros
/// of the dead zone in the result. The values must be finite, and one of them not 0.
void quantize_ideal_scale(ElementKind element, const float* values, int count, int block,
                          IdealBlock& result);

}  // namespace nibblecore
