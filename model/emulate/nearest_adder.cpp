// SPDX-License-Identifier: Apache-2.0
#include "model/emulate/nearest_adder.hpp"

#include <array>
#include <cfloat>

namespace nibblecore {
namespace {

static_assert(FLT_EVAL_METHOD == 0, "every operation must round to its own type");

/// RNE_FP32(accumulator + dot * scale) where the product may lie far outside FP32.
///
/// The product is exact in FP64. So is the sum, or else x, the operand of larger magnitude, and y,
/// the smaller, lie so far apart that both roundings give x: with 2^t <= |x| < 2^(t+1), FP64 can
/// only lose bits below 2^(t-51). x has 24 significant bits or fewer and keeps them; y, of at most
/// 24 as well, has a lost one, so |y| < 2^(t-27). If x is the accumulator, it is an FP32 number; if
/// y is, 2^-149 <= |y| puts t above -122, where every x of 24 bits is an FP32 number or beyond
/// them all. The nearest points where FP32's rounding changes are at least 2^(t-25) from x
/// (2^-150 where x is subnormal, and then t <= -127), the FP64 sum is less than 2^(t-26) from it.
float add_wide_dot(float accumulator, int32_t dot, double scale) {
  return static_cast<float>(double{accumulator} + static_cast<double>(dot) * scale);
}

}  // namespace

void NearestAdder::add(const TileRun& run, float* accumulators, uint8_t* /*truncation*/) const {
  if (run.fits) {
    kernels_.add(run.blocks, accumulators);
    return;
  }
  int64_t first = 0;
  for (int64_t block = 0; block < run.blocks.blocks; ++block) {
    if (!fits_fp32(run.a_ranges[block], run.b_ranges[block])) {
      kernels_.add(run.blocks.part(first, block - first), accumulators);
      add_wide(run.blocks.part(block, 1), accumulators);
      first = block + 1;
    }
  }
  kernels_.add(run.blocks.part(first, run.blocks.blocks - first), accumulators);
}

void NearestAdder::add_wide(const TileBlocks& block, float* accumulators) const {
  alignas(64) std::array<int32_t, kTileOutputs> dots;
  kernels_.dots(block, dots.data());
  for (int64_t row = 0; row < block.rows; ++row) {
    const double a_scale = block.a_scales[row];
    for (int64_t column = 0; column < kStripColumns; ++column) {
      const int64_t i = row * kStripColumns + column;
      accumulators[i] = add_wide_dot(accumulators[i], dots[static_cast<size_t>(i)],
                                     a_scale * double{block.b_scales[column]});
    }
  }
}

}  // namespace nibblecore
