// SPDX-License-Identifier: Apache-2.0
#include "model/quantize/mxfp4_best_scale.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "model/formats/e2m1.hpp"
#include "model/formats/e8m0.hpp"
#include "model/quantize/element_rounding.hpp"
#include "model/quantize/mxfp4.hpp"

namespace nibblecore {
namespace {

/// sum (v - q)^2 - sum v^2 = sum q (q - 2 v), with v = |x| / scale of `base` and q what the code
/// under `candidate` stands for in the same unit. q is a multiple of 2^-3 up to 12. Where it is not
/// 0, v is at least 2^-4, so a term is a multiple of 2^-30 below 2^9: sums are exact in FP64.
double relative_error(const BlockValues& block, int size, int base, int candidate,
                      const ElementRounding& rounding) {
  const double to_base = std::ldexp(1.0, 127 - base);
  const double step = std::ldexp(1.0, candidate - base);
  double sum = 0;
  for (int i = 0; i < size; ++i) {
    const double v = std::fabs(double{block.values[i]}) * to_base;
    const double q = 0.5 * kE2m1Doubled[rounding.code(v / step)] * step;
    sum += q * (q - 2 * v);
  }
  return sum;
}

}  // namespace

uint8_t mxfp4_best_power_of_two(const BlockValues& block, int size, Rounding rounding) {
  const int base = mxfp4_scale(block.largest, ScaleRule::kRceil);
  if (base == kE8m0Nan) {
    return kE8m0Nan;
  }
  const ElementRounding& elements =
      e2m1_rounding(rounding == Rounding::kStochastic ? Rounding::kNearestEven : rounding);
  int best = base;
  double least = HUGE_VAL;
  for (int candidate = std::max(0, base - 2); candidate <= base + 1; ++candidate) {
    const double error = relative_error(block, size, base, candidate, elements);
    if (error < least) {
      least = error;
      best = candidate;
    }
  }
  return static_cast<uint8_t>(best);
}

}  // namespace nibblecore
